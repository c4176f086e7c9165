import type { Saying, SettleAct } from '../bench/facilitator-proxy.ts'
import { shown } from '../bench/order.ts'
import {
  type Ending,
  expiredAfter,
  IN_DOUBT,
  openScene,
  played,
  type Row,
  sendAndRepeat,
  sendOnly,
  soldAfter,
} from '../bench/row.ts'

const HTML = '<!doctype html><title>Bad gateway</title>'

/**
 * One of each with real processes: `test/payments/facilitators/http` has every such answer, and the simulator what follows
 * from it, with and without a transfer.
 */
const FAULTS: readonly (readonly [what: string, says: Saying, lands: boolean])[] = [
  ['hangs', 'hang', true],
  ['answers with headers and no body', 'stall', false],
  ['resets the connection', 'reset', true],
  ['answers 500', { status: 500, body: '{"error":"internal_error"}' }, false],
  ['answers 502 in HTML', { status: 502, body: HTML, type: 'text/html' }, true],
]

/** The process of the rows below that do not fill one alone. */
const OTHERS = 'others'

function row(
  fault: string,
  acts: readonly SettleAct[],
  expected: Ending,
  { again = true, process = OTHERS } = {},
): Row {
  return {
    fault,
    on: 'SQLite',
    expected,
    play: async (stage) => {
      const scene = await openScene(stage, await stage.fileFor(process), again ? {} : { lifeSeconds: 40 })
      stage.world.facilitator.plan(scene.order.nonce, ...acts)
      return again ? sendAndRepeat(scene) : sendOnly(scene)
    },
  }
}

/** A facilitator that fails while it settles. */
export const SETTLE_ROWS: readonly Row[] = [
  ...FAULTS.map(([what, says, lands]) =>
    row(
      `settle ${what}, ${lands ? 'the transfer landed' : 'no transfer'}`,
      [{ lands: lands ? 'before' : 'never', says }],
      soldAfter(lands ? 'verdict' : IN_DOUBT),
      { process: what },
    ),
  ),
  {
    fault: 'settle answers 504, the transfer lands afterwards',
    on: 'SQLite',
    expected: soldAfter(IN_DOUBT),
    play: async (stage) => {
      const scene = await openScene(stage, await stage.fileFor(OTHERS))
      const { promise: answered, resolve } = Promise.withResolvers<void>()
      const says = { status: 504, body: '' }
      stage.world.facilitator.plan(scene.order.nonce, { lands: 'after', says, until: answered })
      const first = shown(await scene.order.send(scene.url))
      resolve()
      return played(scene, first, shown(await scene.order.insist(scene.url)))
    },
  },
  row(
    'settle answers 504, no transfer, not repeated',
    [{ lands: 'never', says: { status: 504, body: '' } }],
    expiredAfter(IN_DOUBT),
    { again: false },
  ),
]
