import { setTimeout as sleep } from 'node:timers/promises'
import type { NodeRule } from '../bench/node-proxy.ts'
import { type Order, shown, signOrder, stateOf } from '../bench/order.ts'
import {
  IN_DOUBT,
  NO_ANSWER,
  NOT_REPEATED,
  openScene,
  type Played,
  played,
  type Row,
  type Scene,
  soldAfter,
  whenCharged,
} from '../bench/row.ts'
import type { Stage, Target } from '../bench/stage.ts'

const SQLITE = 'SQLite'
const REPLICAS = 'PostgreSQL, 3 replicas'
/** Long enough for a request to wait at the row of another, and for a lost connection to be noticed. */
const MOMENT_MS = 1_500
const HOUR_SECONDS = 3_600

interface Place {
  readonly on: string
  target(stage: Stage): Promise<Target>
}
const PLACES: readonly Place[] = [
  { on: SQLITE, target: (stage) => stage.file() },
  { on: REPLICAS, target: (stage) => stage.replicas() },
]

/** The attacks on the sale that its corrections prevent (docs/evidence/attacks.md, Corrections). */
export const ATTACK_ROWS: readonly Row[] = [
  ...PLACES.flatMap((place) => [
    ...[401, 403, 404, 429].map((status) => denied(place, status)),
    deniedAndNotRepeated(place, 401),
    signedAgain(place),
    strangers(place),
    locked(place),
  ]),
  neverDelivered(),
  ...[SQLITE, REPLICAS].map(oldTimestamp),
]

/** The facilitator says that it did nothing with the request, and makes the transfer all the same. */
function denied({ on, target }: Place, status: number): Row {
  return {
    fault: `settle answers ${status}, the transfer lands afterwards`,
    on,
    expected: soldAfter(IN_DOUBT),
    play: async (stage) => {
      const scene = await openScene(stage, await target(stage))
      const { order, url } = scene
      const { promise: until, resolve: land } = Promise.withResolvers<void>()
      stage.world.facilitator.plan(order.nonce, { lands: 'after', says: { status, body: '' }, until })
      const first = shown(await order.send(url))
      await mustBe('in_doubt', scene)
      land()
      return played(scene, first, shown(await order.insist(url)))
    },
  }
}

function deniedAndNotRepeated({ on, target }: Place, status: number): Row {
  return {
    fault: `settle answers ${status}, the transfer lands afterwards, not repeated`,
    on,
    expected: soldAfter(IN_DOUBT, NOT_REPEATED),
    play: async (stage) => {
      const scene = await openScene(stage, await target(stage), { lifeSeconds: 40 })
      const { order, url } = scene
      const { promise: until, resolve: land } = Promise.withResolvers<void>()
      stage.world.facilitator.plan(order.nonce, { lands: 'after', says: { status, body: '' }, until })
      const first = shown(await order.send(url))
      await mustBe('in_doubt', scene)
      land()
      // The chain's clock is put past validBefore when the last row ends.
      await whenCharged(scene)
      return played(scene, first, NOT_REPEATED)
    },
  }
}

/** The buyer loses patience and signs twice more while the first settlement is under way. */
function signedAgain({ on, target }: Place): Row {
  return {
    fault: 'buyer signs two new payments while the first is being settled',
    on,
    expected: soldAfter('3 answers from one transaction'),
    play: async (stage) => {
      const scene = await openScene(stage, await target(stage))
      const { order, url, payTo } = scene
      const others = [await signOrder(order.payer, payTo), await signOrder(order.payer, payTo)]
      let waiting: Promise<Awaited<ReturnType<Order['send']>>[]> = Promise.resolve([])
      const arrived = async () => {
        waiting = Promise.all(others.map((other) => other.insist(url)))
        await sleep(MOMENT_MS)
      }
      stage.world.facilitator.plan(order.nonce, { lands: 'before', says: 'truth', arrived })
      const answers = [await order.insist(url), ...(await waiting)]
      const transactions = new Set(answers.map(({ transaction }) => transaction))
      const first =
        transactions.size === 1
          ? `${answers.filter(({ status }) => status === 200).length} answers from one transaction`
          : answers.map(shown).join(' | ')
      return played(scene, first, shown(await order.insist(url)))
    },
  }
}

/** Payer, nonce and signature are public once settled, so strangers can try values under them. */
function strangers({ on, target }: Place): Row {
  return {
    fault: 'strangers send the settled payment with 14 other values',
    on,
    expected: soldAfter('verdict'),
    play: async (stage) => {
      const scene = await openScene(stage, await forwarded(stage, on, target))
      const first = shown(await scene.order.insist(scene.url))
      await tryValues(scene, 14)
      return played(scene, first, shown(await scene.order.insist(scene.url)))
    },
  }
}

/** More of them lock the payment; a stock client then signs again, and each of its signatures is answered. */
function locked({ on, target }: Place): Row {
  return {
    fault: 'strangers send the settled payment with 50 other values; the buyer signs again',
    on,
    expected: soldAfter('verdict'),
    play: async (stage) => {
      const scene = await openScene(stage, await forwarded(stage, on, target))
      const { order, url, payTo } = scene
      const first = shown(await order.insist(url))
      await tryValues(scene, 50)
      const refusal = shown(await order.send(url))
      if (refusal !== '402 payment_locked') throw new Error(`not locked: ${refusal}`)
      const newOrder = () => signOrder(order.payer, payTo, { now: stage.world.now() })
      const signing: Order = {
        ...order,
        send: async (at) => (await newOrder()).insist(at),
        insist: async (at, patienceMs) => (await newOrder()).insist(at, patienceMs),
      }
      return played({ ...scene, order: signing }, first, shown(await signing.insist(url)))
    },
  }
}

/** The replicas believe their balancer's header already. */
const forwarded = (stage: Stage, on: string, target: Place['target']): Promise<Target> =>
  on === SQLITE ? stage.ownFile({ environment: { TRUST_PROXY: '1' } }) : target(stage)

const STRANGERS_GET = ['409 payment_already_used', '402 payment_locked']

/** Each stranger has five tries before it must wait. */
async function tryValues({ order, url }: Scene, tries: number): Promise<void> {
  for (let tried = 0; tried < tries; tried += 1) {
    const from = `198.51.100.${1 + Math.floor(tried / 5)}`
    const answer = shown(await order.send(url, { value: `GB${tried}`, from }))
    if (!STRANGERS_GET.includes(answer)) throw new Error(`a stranger got ${answer}`)
  }
}

/** The window of an hour begins with the first delivery; until then the answer is kept for a day. */
function neverDelivered(): Row {
  return {
    fault: 'client leaves during the settlement; the request is repeated after two hours',
    on: SQLITE,
    expected: soldAfter(NO_ANSWER),
    play: async (stage): Promise<Played> => {
      const target = await stage.ownFile()
      const scene = await openScene(stage, target)
      const client = new AbortController()
      const arrived = async () => {
        client.abort()
        await sleep(MOMENT_MS)
      }
      stage.world.facilitator.plan(scene.order.nonce, { lands: 'before', says: 'truth', arrived })
      const first = shown(await scene.order.send(scene.url, { signal: client.signal }))
      while ((await stateOf(scene.url, scene.order)) !== 'settled') await sleep(100)
      await target.service.stop()
      await target.service.start({ CLOCK_SHIFT_MS: String(2 * HOUR_SECONDS * 1_000) })
      return played(scene, first, shown(await scene.order.insist(scene.url)))
    },
  }
}

/** A chain that stood still makes its next block late, with a timestamp from before the claim. */
function oldTimestamp(on: string): Row {
  return {
    fault: 'the transfer lands in a late block with a timestamp an hour old; the answer is lost',
    on,
    expected: soldAfter('verdict'),
    play: async (stage) => {
      const node = await stage.world.nodeProxy()
      const [others, service] =
        on === SQLITE
          ? [null, await stage.ownFile({ node })]
          : [await stage.replicas(), await stage.ownReplica({ RPC_URL: node.url })]
      const scene = await openScene(stage, others ?? service)
      const landed = () => node.treat(hourOld(stage))
      stage.world.facilitator.plan(scene.order.nonce, { lands: 'before', says: 'reset', landed })
      const first = shown(await scene.order.send(service.url))
      return played(scene, first, shown(await scene.order.insist(service.url)))
    },
  }
}

const hourOld =
  (stage: Stage): NodeRule =>
  async (request) => {
    if (!request.method.startsWith('eth_getBlockBy')) return request
    const block = (await stage.world.rpc(request.method, request.params)) as { timestamp: string } | null
    if (block === null) return { result: null }
    return { result: { ...block, timestamp: `0x${(Number(block.timestamp) - HOUR_SECONDS).toString(16)}` } }
  }

async function mustBe(state: string, { order, url }: Scene): Promise<void> {
  const found = await stateOf(url, order)
  if (found !== state) throw new Error(`the row is ${found}, not ${state}`)
}
