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

const FAULTS: readonly (readonly [what: string, says: Saying])[] = [
  ['hangs', 'hang'],
  ['answers with headers and no body', 'stall'],
  ['resets the connection', 'reset'],
  ['answers 500', { status: 500, body: '{"error":"internal_error"}' }],
  ['answers 502 in HTML', { status: 502, body: HTML, type: 'text/html' }],
  ['answers 504', { status: 504, body: '' }],
]

/** The process of the rows below that do not fill one alone. */
const OTHERS = 'others'

const pending: Saying = (truth, payer) => ({
  success: false,
  errorReason: 'settlement_pending',
  transaction: truth?.transaction ?? `0x${'5'.repeat(64)}`,
  network: 'eip155:8453',
  payer,
})

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
  ...FAULTS.flatMap(([what, says]) => [
    row(`settle ${what}, the transfer landed`, [{ lands: 'before', says }], soldAfter('verdict'), {
      process: what,
    }),
    row(`settle ${what}, no transfer`, [{ lands: 'never', says }], soldAfter(IN_DOUBT), { process: what }),
  ]),
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
  row(
    'settle answers settlement_pending twice, the transfer landed',
    [
      { lands: 'before', says: pending },
      { lands: 'never', says: pending },
    ],
    soldAfter('verdict'),
  ),
  row(
    'settle answers settlement_pending twice, no transfer',
    [
      { lands: 'never', says: pending },
      { lands: 'never', says: pending },
    ],
    soldAfter(IN_DOUBT),
  ),
  row('settle answers 429, no transfer', [{ lands: 'never', says: 'truth' }], soldAfter(IN_DOUBT)),
]
