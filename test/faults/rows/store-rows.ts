import { faultNonce, STORE_STEPS, type StoreAct, type StoreStep } from '../bench/fault-nonce.ts'
import { IN_DOUBT, NO_STORE, openScene, type Row, sendAndRepeat, soldAfter } from '../bench/row.ts'

const ACTS: readonly (readonly [what: string, act: StoreAct])[] = [
  ['down', 'down'],
  ['slow', 'slow'],
  ['read-only', 'read-only'],
  ['full', 'full'],
]
const WHERE: Readonly<Record<StoreStep, string>> = {
  claim: 'at the claim',
  settled: 'when the settlement is recorded',
}
/** A settlement is recorded in five attempts; the sixth is that of the first repetition. */
const ATTEMPTS: Readonly<Record<StoreStep, number>> = { claim: 1, settled: 6 }

/** A store that fails at each of a sale's writes. */
export const STORE_ROWS: readonly Row[] = [
  ...STORE_STEPS.flatMap((step) =>
    ACTS.flatMap(([what, act]) => [
      // Each write is tried twice there: with others, then alone.
      row('SQLite', `store ${what} ${WHERE[step]}`, step, act, ATTEMPTS[step] * 2),
      row('PostgreSQL, 3 replicas', `store ${what} ${WHERE[step]}`, step, act, ATTEMPTS[step]),
    ]),
  ),
  ...STORE_STEPS.map((step) =>
    row('PostgreSQL, 3 replicas', `store breaks off after the write ${WHERE[step]}`, step, 'unheard', 1),
  ),
]

function row(on: string, fault: string, step: StoreStep, act: StoreAct, times: number): Row {
  return {
    fault,
    on,
    expected: soldAfter(firstAnswer(step, act)),
    play: async (stage) => {
      const target = await (on === 'SQLite' ? stage.file() : stage.replicas())
      const nonce = faultNonce({ step, act, times })
      return sendAndRepeat(await openScene(stage, target, { nonce }))
    },
  }
}

function firstAnswer(step: StoreStep, act: StoreAct): string {
  if (act === 'slow') return 'verdict'
  if (step !== 'settled') return NO_STORE
  return act === 'unheard' ? 'verdict' : IN_DOUBT
}
