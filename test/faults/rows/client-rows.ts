import { setTimeout as sleep } from 'node:timers/promises'
import { faultNonce } from '../bench/fault-nonce.ts'
import { shown, signOrder, stateOf } from '../bench/order.ts'
import { NO_ANSWER, openScene, played, type Row, type Scene, soldAfter } from '../bench/row.ts'
import type { Stage, Target } from '../bench/stage.ts'

const SLOW = (step: 'claim' | 'settled') => faultNonce({ step, act: 'slow', times: 1 })
/** Long enough for what was sent to be read, shorter than a slow write. */
const MOMENT_MS = 300

/** A client that leaves, or whose answer is lost on its way back. */
export const CLIENT_ROWS: readonly Row[] = [
  {
    fault: 'client leaves before the settlement',
    on: 'PostgreSQL, 3 replicas',
    expected: soldAfter(NO_ANSWER),
    play: async (stage) => {
      const scene = await openScene(stage, await stage.replicas(), { nonce: SLOW('claim') })
      const first = await scene.order.send(scene.url, { signal: AbortSignal.timeout(MOMENT_MS) })
      return played(scene, shown(first), shown(await scene.order.insist(scene.url)))
    },
  },
  {
    fault: 'client leaves during the settlement',
    on: 'SQLite',
    expected: soldAfter(NO_ANSWER),
    play: async (stage) => {
      const scene = await openScene(stage, await stage.file())
      const client = new AbortController()
      const arrived = async () => {
        client.abort()
        await sleep(MOMENT_MS)
      }
      stage.world.facilitator.plan(scene.order.nonce, { lands: 'before', says: 'truth', arrived })
      const answer = await scene.order.send(scene.url, { signal: client.signal })
      return played(scene, shown(answer), shown(await scene.order.insist(scene.url)))
    },
  },
  lost('is repeated to the same process', 'SQLite', (stage) => stage.file()),
  lost('is repeated on another replica', 'PostgreSQL, 3 replicas', (stage) => stage.replicas()),
  {
    fault: 'reply lost; the request is repeated after an orderly restart',
    on: 'SQLite',
    expected: soldAfter(NO_ANSWER),
    play: async (stage) => {
      const target = await stage.ownFile()
      const scene = await openScene(stage, target, { nonce: SLOW('settled') })
      const first = shown(await sendAndLeave(scene))
      await target.service.stop()
      await target.service.start()
      return played(scene, first, shown(await scene.order.insist(scene.url)))
    },
  },
  {
    fault: 'reply lost; the request is repeated after validBefore',
    on: 'SQLite',
    expected: soldAfter(NO_ANSWER),
    play: async (stage) => {
      const life = { nonce: SLOW('settled'), lifeSeconds: 14 }
      const scene = await openScene(stage, await stage.file(), life)
      const first = shown(await sendAndLeave(scene))
      await sleep(15_000)
      return played(scene, first, shown(await scene.order.insist(scene.url)))
    },
  },
  {
    fault: 'reply lost; the buyer signs a new payment for the same request',
    on: 'PostgreSQL, 3 replicas',
    expected: soldAfter(NO_ANSWER),
    play: async (stage) => {
      const scene = await openScene(stage, await stage.replicas(), { nonce: SLOW('settled') })
      const first = shown(await sendAndLeave(scene))
      while ((await stateOf(scene.url, scene.order)) !== 'settled') await sleep(MOMENT_MS)
      const second = await signOrder(scene.order.payer, scene.payTo)
      return played(scene, first, shown(await second.insist(scene.url)))
    },
  },
]

function lost(what: string, on: string, targetOf: (stage: Stage) => Promise<Target>): Row {
  return {
    fault: `reply lost; the request ${what}`,
    on,
    expected: soldAfter(NO_ANSWER),
    play: async (stage) => {
      const scene = await openScene(stage, await targetOf(stage), { nonce: SLOW('settled') })
      const first = shown(await sendAndLeave(scene))
      return played(scene, first, shown(await scene.order.insist(scene.url)))
    },
  }
}

/** The client leaves while the settlement is recorded. */
async function sendAndLeave({ order, url, stage }: Scene) {
  const client = new AbortController()
  stage.world.facilitator.plan(order.nonce, { lands: 'before', says: 'truth', said: () => client.abort() })
  return order.send(url, { signal: client.signal })
}
