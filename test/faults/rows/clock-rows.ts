import type { SettleAct } from '../bench/facilitator-proxy.ts'
import { shown } from '../bench/order.ts'
import {
  type Ending,
  NO_ANSWER,
  NOT_REPEATED,
  openScene,
  played,
  type Row,
  sendAndRepeat,
  sendOnly,
  soldAfter,
} from '../bench/row.ts'

const OFF_SECONDS = 300
const LOST: SettleAct = { lands: 'before', says: 'reset' }
const HONEST: SettleAct = { lands: 'before', says: 'truth' }

/** A service whose clock is five minutes off; the chain and the buyer have the right time. */
export const CLOCK_ROWS: readonly Row[] = [
  row('ahead, the buyer signs by their own clock', OFF_SECONDS, HONEST, 115, {
    first: '402 payment_expired',
    repeated: NOT_REPEATED,
    charged: 0,
    state: 'none',
    last: '402 payment_expired',
  }),
  row('ahead, the buyer signs by the server time in the 402', OFF_SECONDS, HONEST, 415, soldAfter('verdict')),
  row('ahead, the answer to settle is lost', OFF_SECONDS, LOST, 415, soldAfter('verdict')),
  row('ahead, the answer to settle is lost', 20, LOST, 115, soldAfter('verdict')),
  {
    fault:
      'clock of one replica 20 seconds ahead, SIGKILL during settle, the transfer landed; repeated on the others',
    on: 'PostgreSQL, 3 replicas',
    expected: soldAfter(NO_ANSWER),
    play: async (stage) => {
      const shift = { CLOCK_SHIFT_MS: '20000' }
      const [others, victim] = await Promise.all([stage.replicas(), stage.ownReplica(shift)])
      const scene = await openScene(stage, others)
      stage.world.facilitator.plan(scene.order.nonce, {
        lands: 'before',
        says: 'hang',
        landed: () => victim.service.kill(),
      })
      const first = shown(await scene.order.send(victim.url))
      return played(scene, first, shown(await scene.order.insist(scene.url)))
    },
  },
  row('behind', -OFF_SECONDS, HONEST, 115, soldAfter('verdict')),
  row('behind, the answer to settle is lost', -OFF_SECONDS, LOST, 115, soldAfter('verdict')),
]

function row(how: string, shift: number, act: SettleAct, lifeSeconds: number, expected: Ending): Row {
  return {
    fault: `clock of the service ${Math.abs(shift) === OFF_SECONDS ? '5 minutes' : `${shift} seconds`} ${how}`,
    on: 'SQLite',
    expected,
    play: async (stage) => {
      const scene = await openScene(stage, await stage.withClock(shift * 1_000), { lifeSeconds })
      stage.world.facilitator.plan(scene.order.nonce, act)
      return expected.repeated === NOT_REPEATED ? sendOnly(scene) : sendAndRepeat(scene)
    },
  }
}
