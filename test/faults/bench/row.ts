import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { type Order, type OrderOptions, shown, signOrder } from './order.ts'
import type { Stage, Target } from './stage.ts'
import { PRICE } from './world.ts'

/** How a row of the table ends. */
export interface Ending {
  /** What the first request brought, and what the repetitions of it brought in the end. */
  readonly first: string
  readonly repeated: string
  /** How many times the price left the buyer's account, from the chain. */
  readonly charged: number
  /** The ledger's state when recovery has done its work. */
  readonly state: string
  /** What a last repetition brings after that. */
  readonly last: string
}

/** What a row leaves behind for the last look. */
export interface Played {
  readonly order: Order
  readonly target: Target
  readonly first: string
  readonly repeated: string
  /** Calls the buyer had money for at the beginning. */
  readonly calls: number
}

/** One fault, and what is expected to come of it. */
export interface Row {
  readonly fault: string
  /** The store it is played on, or what else is special about the service. */
  readonly on: string
  /** True where the promise does not reach; the row then shows the loss that is accepted. */
  readonly outside?: boolean
  readonly expected: Ending
  play(stage: Stage): Promise<Played>
}

/** No client repeats the request before the last look. */
export const NOT_REPEATED = 'not repeated'

export interface Scene extends Target {
  readonly stage: Stage
  readonly order: Order
}

const CALLS = 10

/** A buyer with money and a signed order for a target. */
export async function openScene(stage: Stage, target: Target, options?: OrderOptions): Promise<Scene> {
  const buyer = await stage.world.buyer(CALLS)
  return { ...target, stage, order: await signOrder(buyer, target.payTo, options) }
}

export const played = (scene: Scene, first: string, repeated: string): Played => ({
  order: scene.order,
  target: { url: scene.url, payTo: scene.payTo, services: scene.services },
  first,
  repeated,
  calls: CALLS,
})

/** The plainest course: the order is sent, and repeated until there is an answer. */
export async function sendAndRepeat(
  scene: Scene,
  options: { readonly again?: string } = {},
): Promise<Played> {
  const { order, url } = scene
  const first = shown(await order.send(url))
  return played(scene, first, shown(await order.insist(options.again ?? url)))
}

/** The order is sent once and not repeated. */
export async function sendOnly(scene: Scene): Promise<Played> {
  return played(scene, shown(await scene.order.send(scene.url)), NOT_REPEATED)
}

/** The buyer is charged once and answered, whatever the first request brought. */
export const soldAfter = (first: string, repeated = 'verdict'): Ending => ({
  first,
  repeated,
  charged: 1,
  state: 'settled',
  last: 'verdict',
})

/** Resolves once the service says that new sales are not paused, or that they are for this reason. */
export async function untilPayments(url: string, reason?: string): Promise<void> {
  for (;;) {
    const status = (await (await fetch(`${url}/status.json`)).json()) as {
      payments: { reasons: readonly string[] }
    }
    const { reasons } = status.payments
    if (reason === undefined ? reasons.length === 0 : reasons.includes(reason)) return
    await sleep(200)
  }
}

/** Resolves once a transfer that was under way has left the buyer's account. */
export async function whenCharged({ stage, order }: Scene): Promise<void> {
  const full = BigInt(CALLS) * PRICE
  while ((await stage.world.balance(order.payer.address)) === full) await sleep(50)
}

/** Nothing was charged, and the reply says that the buyer may sign again. */
export const expiredAfter = (first: string, repeated = NOT_REPEATED): Ending => ({
  first,
  repeated,
  charged: 0,
  state: 'void',
  last: '402 payment_expired',
})

export const IN_DOUBT = '503 payment_in_doubt'
export const NO_STORE = '503 store_unavailable'
export const NO_FACILITATOR = '503 facilitator_unavailable'
export const NO_NODE = '503 chain_unavailable'
export const NO_ANSWER = 'no answer'

/** How many times the price has left the buyer's account. */
export async function chargedTo(stage: Stage, { order, calls }: Played): Promise<number> {
  const left = await stage.world.balance(order.payer.address as Hex)
  return calls - Number(left) / 1000
}
