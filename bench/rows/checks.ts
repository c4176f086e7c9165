/** The checks themselves, in one process, against the libraries that do the same. */
import type { RowPlan } from '../bench.ts'
import type { CheckFigures } from '../checks/measure.ts'
import { nextMessage, SERVER_CORE, startPinned } from '../processes.ts'
import type { Claim, Row } from '../report/row.ts'

export const checks: RowPlan = {
  id: 'checks',
  async run({ effort }) {
    const slice = Math.max(5, Math.min(60, effort.milliseconds / 20))
    const args = [String(effort.rounds * 2 - 1), String(slice)]
    const measuring = startPinned(SERVER_CORE, 'bench/checks/measure.ts', { args })
    const figures = await nextMessage<readonly CheckFigures[]>(measuring)
    await measuring.stop()
    return figures.map(rowOf)
  },
}

/** Microseconds of a full result: a sale takes hundreds, so that nothing is won by less. */
const [MOST, MOST_REFUSED] = [5, 10]

function rowOf({ type, kind, nanoseconds, refusedNanoseconds, ratios }: CheckFigures): Row {
  const atMost = (what: string, ns: number, target: number): Claim => ({
    ...{ what: `microseconds of ${what}`, value: ns / 1_000, target },
    side: 'at most',
  })
  return {
    id: `check-${type}-${kind}`,
    work: `${type}, full result against ${kind === 'full' ? 'full results' : 'verdicts alone'}`,
    figures: Object.entries(nanoseconds).map(([name, time]) => ({ name, other: `${Math.round(time)} ns` })),
    claims: [
      atMost('a result', nanoseconds.ours!, MOST),
      atMost('a refused one', refusedNanoseconds, MOST_REFUSED),
      ...Object.entries(ratios).map(([peer, value]) => ({ what: `speed against ${peer}`, value })),
    ],
  }
}
