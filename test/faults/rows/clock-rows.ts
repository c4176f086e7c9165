import type { SettleAct } from '../bench/facilitator-proxy.ts'
import { type Ending, NOBODY, openScene, type Row, sendAndRepeat, sendOnly, soldAfter } from '../bench/row.ts'

const OFF_SECONDS = 300
const LOST: SettleAct = { lands: 'before', says: 'reset' }
const HONEST: SettleAct = { lands: 'before', says: 'truth' }

/** A service whose clock is five minutes off; the chain and the buyer have the right time. */
export const CLOCK_ROWS: readonly Row[] = [
  row('ahead, the buyer signs by his own', OFF_SECONDS, HONEST, 115, {
    first: '402 payment_expired',
    repeated: NOBODY,
    charged: 0,
    state: 'none',
    last: '402 payment_expired',
  }),
  row('ahead, the buyer signs by the server time he is told', OFF_SECONDS, HONEST, 415, soldAfter('verdict')),
  row('ahead, the answer to settle is lost', OFF_SECONDS, LOST, 415, soldAfter('verdict')),
  row('behind', -OFF_SECONDS, HONEST, 115, soldAfter('verdict')),
  row('behind, the answer to settle is lost', -OFF_SECONDS, LOST, 115, soldAfter('verdict')),
]

function row(how: string, shift: number, act: SettleAct, lifeSeconds: number, expected: Ending): Row {
  return {
    fault: `clock of the service 5 minutes ${how}`,
    on: 'SQLite',
    expected,
    play: async (stage) => {
      const scene = await openScene(stage, await stage.withClock(shift * 1_000), { lifeSeconds })
      stage.world.facilitator.plan(scene.order.nonce, act)
      return expected.repeated === NOBODY ? sendOnly(scene) : sendAndRepeat(scene)
    },
  }
}
