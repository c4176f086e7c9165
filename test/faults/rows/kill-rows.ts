import type { SettleAct } from '../bench/facilitator-proxy.ts'
import { faultNonce, type StoreStep } from '../bench/fault-nonce.ts'
import type { LiveService } from '../bench/live-service.ts'
import { shown } from '../bench/order.ts'
import {
  type Ending,
  expiredAfter,
  NO_ANSWER,
  NOT_REPEATED,
  openScene,
  played,
  type Row,
  soldAfter,
} from '../bench/row.ts'
import type { Stage } from '../bench/stage.ts'

export type Moment =
  | { readonly at: 'store'; readonly step: StoreStep; readonly act: 'kill-before' | 'kill-after' }
  | { readonly at: 'settle'; readonly act: (kill: () => Promise<void>) => SettleAct }

const store = (step: StoreStep, act: 'kill-before' | 'kill-after'): Moment => ({ at: 'store', step, act })

/** Every step of a sale a process can die at. */
export const MOMENTS: readonly (readonly [when: string, moment: Moment])[] = [
  ['before claim', store('claim', 'kill-before')],
  ['after claim', store('claim', 'kill-after')],
  [
    'during settle, no transfer',
    { at: 'settle', act: (arrived) => ({ lands: 'never', says: 'hang', arrived }) },
  ],
  [
    'during settle, the transfer landed',
    { at: 'settle', act: (landed) => ({ lands: 'before', says: 'hang', landed }) },
  ],
  ['after settle, before recording', store('settled', 'kill-before')],
  ['after recording, before the reply', store('settled', 'kill-after')],
]

/** A process that dies in the middle of a sale. */
export const KILL_ROWS: readonly Row[] = [
  ...MOMENTS.map(([when, moment]) => onFile(when, moment, soldAfter(NO_ANSWER), true)),
  ...MOMENTS.map(([when, moment]) => onReplica(when, moment)),
  onFile('after claim; not repeated', store('claim', 'kill-after'), expiredAfter(NO_ANSWER), false),
  onFile(
    'during settle, no transfer; not repeated',
    { at: 'settle', act: (arrived) => ({ lands: 'never', says: 'hang', arrived }) },
    expiredAfter(NO_ANSWER),
    false,
  ),
  onFile(
    'during settle, the transfer landed; not repeated',
    { at: 'settle', act: (landed) => ({ lands: 'before', says: 'hang', landed }) },
    soldAfter(NO_ANSWER, NOT_REPEATED),
    false,
  ),
]

function onFile(when: string, moment: Moment, expected: Ending, again: boolean): Row {
  return {
    fault: `SIGKILL ${when}; restart`,
    on: 'SQLite',
    expected,
    play: async (stage) => {
      const target = await stage.ownFile(MORTAL)
      const scene = await openScene(stage, target, {
        ...nonceOf(moment),
        ...(again ? {} : { lifeSeconds: 40 }),
      })
      meet(stage, moment, scene.order.nonce, target.service)
      const first = shown(await scene.order.send(scene.url))
      await target.service.ended()
      // The new process must live.
      await target.service.start({ MAY_DIE: 'no' })
      return played(scene, first, again ? shown(await scene.order.insist(scene.url)) : NOT_REPEATED)
    },
  }
}

function onReplica(when: string, moment: Moment): Row {
  return {
    fault: `SIGKILL ${when}; repeated on other replicas`,
    on: 'PostgreSQL, 3 replicas',
    expected: soldAfter(NO_ANSWER),
    play: async (stage) => {
      const [others, victim] = await Promise.all([stage.replicas(), stage.ownReplica()])
      const scene = await openScene(stage, others, nonceOf(moment))
      meet(stage, moment, scene.order.nonce, victim.service)
      const first = shown(await scene.order.send(victim.url))
      await victim.service.ended()
      return played(scene, first, shown(await scene.order.insist(scene.url)))
    },
  }
}

/** For a process that must die. */
export const MORTAL = { environment: { MAY_DIE: 'yes' } }

/** The nonce that lets a process that may die do so at its store. */
export const nonceOf = (moment: Moment) =>
  moment.at === 'store' ? { nonce: faultNonce({ ...moment, times: 1 }) } : {}

/** Lets a process die while the facilitator has its request, where that is the moment. */
export function meet(stage: Stage, moment: Moment, nonce: string, service: LiveService): void {
  if (moment.at === 'settle')
    stage.world.facilitator.plan(
      nonce,
      moment.act(() => service.kill()),
    )
}
