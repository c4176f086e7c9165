import { setTimeout as sleep } from 'node:timers/promises'
import type { SettleAct } from '../bench/facilitator-proxy.ts'
import { faultNonce } from '../bench/fault-nonce.ts'
import { type Answer, type Order, type OrderOptions, shown, signOrder } from '../bench/order.ts'
import { freshPayee, PRICE } from '../bench/world.ts'
import type { OpenSide, Side } from './sides.ts'

/** What a buyer saw, and what it cost. */
export interface Outcome {
  readonly first: string
  /** What repeating the same request brought in the end; for some cases what another signature brought. */
  readonly repeated: string
  /** How many times the price left the buyer's account, from the chain. */
  readonly charged: number
}

/** One failure, played against one service at a time. */
export interface Case {
  readonly failure: string
  play(open: OpenSide, shared: Side): Promise<Outcome>
}

const CALLS = 10
/** Long enough for what was sent to be read. */
const MOMENT_MS = 300
const NOT_ASKED = 'not asked'

interface Scene {
  readonly side: Side
  readonly order: Order
}

async function sceneOn(side: Side, options?: OrderOptions): Promise<Scene> {
  return { side, order: await signOrder(await side.world.buyer(CALLS), side.payTo, options) }
}

async function outcomeOf(
  { side, order }: Scene,
  first: Answer | string,
  repeated: Answer | string,
): Promise<Outcome> {
  const text = (answer: Answer | string) => (typeof answer === 'string' ? answer : shown(answer))
  const left = await side.world.balance(order.payer.address)
  return { first: text(first), repeated: text(repeated), charged: CALLS - Number(left / PRICE) }
}

/** The facilitator does this with the settlement; the request is sent, and repeated unchanged. */
const settlementThat = (failure: string, ...acts: readonly SettleAct[]): Case => ({
  failure,
  play: async (_open, side) => {
    const scene = await sceneOn(side)
    side.world.facilitator.plan(scene.order.nonce, ...acts)
    const first = await scene.order.send(side.url)
    return outcomeOf(scene, first, await scene.order.insist(side.url))
  },
})

/** The client leaves while the settlement is under way. */
async function sendAndLeave({ side, order }: Scene): Promise<Answer> {
  const client = new AbortController()
  const arrived = async () => {
    client.abort()
    await sleep(MOMENT_MS)
  }
  const { promise: over, resolve } = Promise.withResolvers<void>()
  side.world.facilitator.plan(order.nonce, { lands: 'before', says: 'truth', arrived, said: resolve })
  const answer = await order.send(side.url, { signal: client.signal })
  await over
  return answer
}

const PENDING: SettleAct = {
  lands: 'before',
  says: (truth) => ({
    success: false,
    errorReason: 'settlement_pending',
    transaction: truth?.transaction ?? '',
    network: 'eip155:8453',
  }),
}
const PENDING_STILL: SettleAct = { ...PENDING, lands: 'never', says: () => PENDING_REPLY }
const PENDING_REPLY = {
  success: false,
  errorReason: 'settlement_pending',
  transaction: `0x${'1'.repeat(64)}`,
  network: 'eip155:8453',
}

/** What a seller meets sooner or later; each is played against both services. */
export const CASES: readonly Case[] = [
  {
    failure: 'ten copies of one request at the same moment',
    play: async (_open, side) => {
      const scene = await sceneOn(side)
      const answers = await Promise.all(Array.from({ length: 10 }, () => scene.order.send(side.url)))
      const counts = Map.groupBy(answers.map(shown), (answer) => answer)
      const first = [...counts].map(([answer, { length }]) => `${length} × ${answer}`).toSorted()
      return outcomeOf(scene, first.join(', '), await scene.order.insist(side.url))
    },
  },
  {
    failure: 'the client leaves during the settlement, and repeats the request',
    play: async (_open, side) => {
      const scene = await sceneOn(side)
      const first = await sendAndLeave(scene)
      return outcomeOf(scene, first, await scene.order.insist(side.url))
    },
  },
  {
    failure: 'the client leaves during the settlement, and signs again as the stock client does',
    play: async (_open, side) => {
      const scene = await sceneOn(side)
      const first = await sendAndLeave(scene)
      const again = await signOrder(scene.order.payer, side.payTo)
      return outcomeOf(scene, first, await again.insist(side.url))
    },
  },
  {
    failure: 'the client leaves during the settlement, and comes back after validBefore',
    play: async (_open, side) => {
      const scene = await sceneOn(side, { lifeSeconds: 14 })
      const first = await sendAndLeave(scene)
      await sleep(15_000)
      return outcomeOf(scene, first, await scene.order.insist(side.url))
    },
  },
  settlementThat('the facilitator answers 500 after the transfer landed', {
    lands: 'before',
    says: { status: 500, body: 'oops' },
  }),
  settlementThat('the facilitator breaks the connection after the transfer landed', {
    lands: 'before',
    says: 'reset',
  }),
  {
    failure: 'the facilitator never answers, and the transfer landed',
    play: async (open) => {
      const side = await open({ FACILITATOR_TIMEOUT_MS: '5000' })
      const scene = await sceneOn(side)
      side.world.facilitator.plan(scene.order.nonce, { lands: 'before', says: 'hang' })
      const first = await scene.order.send(side.url)
      return outcomeOf(scene, first, await scene.order.insist(side.url))
    },
  },
  settlementThat('the facilitator answers what cannot be read, and the transfer landed', {
    lands: 'before',
    says: { status: 200, body: '<html>' },
  }),
  settlementThat(
    'the facilitator says twice that the settlement is pending, and the transfer landed',
    PENDING,
    PENDING_STILL,
  ),
  {
    failure: "the facilitator's verify answers 500",
    play: async (_open, side) => {
      const scene = await sceneOn(side)
      side.world.facilitator.planVerify(scene.order.nonce, {
        status: 500,
        body: '{"error":"out of memory at 10.0.0.7"}',
      })
      const first = await scene.order.send(side.url)
      return outcomeOf(scene, first, await scene.order.insist(side.url))
    },
  },
  {
    failure: 'the process is killed after the settlement, and started again',
    play: async (open) => {
      const side = await open()
      const scene = await sceneOn(side)
      side.world.facilitator.plan(scene.order.nonce, { lands: 'before', says: 'truth', landed: side.kill })
      const first = await scene.order.send(side.url)
      await side.restart()
      return outcomeOf(scene, first, await scene.order.insist(side.url))
    },
  },
  {
    failure: 'the store of used payments is down at the payment',
    play: async (open) => {
      const side = await open({ GUARD: 'down' })
      const scene = await sceneOn(side, { nonce: faultNonce({ step: 'claim', act: 'down', times: 2 }) })
      const first = await scene.order.send(side.url)
      return outcomeOf(scene, first, await scene.order.insist(side.url))
    },
  },
  {
    failure: 'the operator changes the payee after a payment whose reply was lost',
    play: async (open) => {
      const side = await open()
      const scene = await sceneOn(side)
      const first = await sendAndLeave(scene)
      await side.restart({ PAY_TO: freshPayee() })
      return outcomeOf(scene, first, await scene.order.insist(side.url))
    },
  },
  {
    failure: 'a retry under the same payment identifier, with a new signature',
    play: async (_open, side) => {
      const identifier = { identifier: `order-${crypto.randomUUID()}` }
      const scene = await sceneOn(side, identifier)
      const first = await scene.order.send(side.url)
      const again = await signOrder(scene.order.payer, side.payTo, identifier)
      return outcomeOf(scene, first, await again.insist(side.url))
    },
  },
  {
    failure: 'the facilitator is down when the service starts, and terms are asked for',
    play: async (open, { world }) => {
      const side = await open({ FACILITATOR_URL: 'http://127.0.0.1:9' })
      const response = await fetch(`${side.url}/api/validate/iban`, { method: 'POST' })
      const terms = response.headers.has('PAYMENT-REQUIRED') ? 'terms' : 'no terms'
      const order = await signOrder(await world.buyer(CALLS), side.payTo)
      return outcomeOf({ side, order }, `${response.status} ${terms}`, NOT_ASKED)
    },
  },
]
