import type { SettleAct } from '../bench/facilitator-proxy.ts'
import { shown } from '../bench/order.ts'
import {
  NO_ANSWER,
  openScene,
  played,
  type Row,
  sendAndRepeat,
  soldAfter,
  untilPayments,
} from '../bench/row.ts'

const OFF_SECONDS = 300
/** Within what a clock may be off while sales go on. */
const SLIGHTLY_OFF_SECONDS = 20
const LOST: SettleAct = { lands: 'before', says: 'reset' }
const CLOCK_WRONG = '503 clock_wrong'

/** A service whose clock is off; the chain and the buyer have the right time. */
export const CLOCK_ROWS: readonly Row[] = [
  ...(['ahead', 'behind'] as const).flatMap((way) => [
    setRight(way),
    wrongAfterSale(way),
    wrongAfterKill(way),
    slightlyOff(way),
  ]),
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
]

type Way = 'ahead' | 'behind'
const shiftMs = (way: Way, seconds: number) => (way === 'ahead' ? 1_000 : -1_000) * seconds
const shifted = (way: Way) => ({ CLOCK_SHIFT_MS: String(shiftMs(way, OFF_SECONDS)) })

function setRight(way: Way): Row {
  return {
    fault: `clock of the service 5 minutes ${way}, then set right by a restart`,
    on: 'SQLite',
    expected: soldAfter(CLOCK_WRONG),
    play: async (stage) => {
      const target = await stage.ownFile({ environment: shifted(way) })
      await untilPayments(target.url, 'clock_wrong')
      const scene = await openScene(stage, target)
      const first = shown(await scene.order.send(scene.url))
      await target.service.stop()
      await target.service.start({ CLOCK_SHIFT_MS: '0' })
      return played(scene, first, shown(await scene.order.insist(scene.url)))
    },
  }
}

function wrongAfterSale(way: Way): Row {
  return {
    fault: `clock of the service set 5 minutes ${way} by a restart after the sale`,
    on: 'SQLite',
    expected: soldAfter('verdict'),
    play: async (stage) => {
      const target = await stage.ownFile()
      const scene = await openScene(stage, target)
      const first = shown(await scene.order.send(scene.url))
      await target.service.stop()
      await target.service.start(shifted(way))
      await untilPayments(target.url, 'clock_wrong')
      return played(scene, first, shown(await scene.order.send(scene.url)))
    },
  }
}

function wrongAfterKill(way: Way): Row {
  return {
    fault: `SIGKILL during settle, the transfer landed; clock of the service set 5 minutes ${way} by the restart`,
    on: 'SQLite',
    expected: soldAfter(NO_ANSWER),
    play: async (stage) => {
      const target = await stage.ownFile({ environment: { MAY_DIE: 'yes' } })
      const scene = await openScene(stage, target)
      stage.world.facilitator.plan(scene.order.nonce, {
        lands: 'before',
        says: 'hang',
        landed: () => target.service.kill(),
      })
      const first = shown(await scene.order.send(scene.url))
      await target.service.ended()
      await target.service.start({ MAY_DIE: 'no', ...shifted(way) })
      await untilPayments(target.url, 'clock_wrong')
      return played(scene, first, shown(await scene.order.insist(scene.url)))
    },
  }
}

function slightlyOff(way: Way): Row {
  return {
    fault: `clock of the service ${SLIGHTLY_OFF_SECONDS} seconds ${way}, the answer to settle is lost`,
    on: 'SQLite',
    expected: soldAfter('verdict'),
    play: async (stage) => {
      const scene = await openScene(stage, await stage.withClock(shiftMs(way, SLIGHTLY_OFF_SECONDS)))
      stage.world.facilitator.plan(scene.order.nonce, LOST)
      return sendAndRepeat(scene)
    },
  }
}
