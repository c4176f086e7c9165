import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { generatePrivateKey } from 'viem/accounts'
import { expect } from 'vitest'
import {
  type ChannelBuyer,
  type ChannelBuyerOptions,
  type ChannelPurse,
  channelBuyer,
  channelEvents,
  channelOnChain,
  insistOn,
  isLater,
  lose,
  shownAnswer,
} from './channel-buyer.ts'
import type { SettleAct } from './facilitator-proxy.ts'
import type { LiveService } from './live-service.ts'
import type { Stage } from './stage.ts'
import { PRICE } from './world.ts'

/** How a row of the table of channels ends. */
export interface ChannelEnding {
  /** What the faulty act brought, and what its repetitions brought in the end. */
  readonly first: string
  readonly repeated: string
  /** Different calls that the service has answered with a verdict, the one after the fault included. */
  readonly answered: number
  /** How many times the price left the buyer for good, from the chain, after the rest was paid back. */
  readonly charged: number
  /** What the next call of the same client brought. */
  readonly next: string
}

/** What a row leaves behind for the last look. */
export interface ChannelPlayed {
  readonly buyer: ChannelPurse
  /** Where the buyer goes on. */
  readonly url: string
  readonly first: string
  readonly repeated: string
}

/** One fault of a channel, and what is expected to come of it. */
export interface ChannelFaultRow {
  readonly fault: string
  readonly on: string
  /** True where the promise does not reach; the row then shows the loss that is accepted. */
  readonly outside?: boolean
  /** Rows of one name share a process, one row after the other. */
  readonly shares?: string
  readonly expected: ChannelEnding
  play(stage: Stage): Promise<ChannelPlayed>
}

/** Settings of a service that offers channels. */
export const channelSettings = () => ({
  CHANNELS: 'on',
  RECEIVER_AUTHORIZER_KEY: generatePrivateKey(),
})

/** Every call is answered and charged once, and the channel goes on. */
export const goesOn = (first: string, calls: number, repeated = 'verdict'): ChannelEnding => ({
  ...{ first, repeated, answered: calls, charged: calls, next: 'verdict' },
})

/** The process of rows that kill or restart it, one after the other. */
export const MORTAL = 'mortal'

/** The store of a service, which is a file. */
export const storeOf = ({ scratch }: LiveService) => join(scratch, 'data', 'ledger.sqlite')

/** Lets the leases of a process that has died end, and claims be due, as time would: 30 s, 2 minutes and 6 hours. */
export function timePasses(service: LiveService): void {
  const store = new Database(storeOf(service))
  store.exec('update locks set lease_until = 0; update channel_deposits set lease_until = 0')
  store.prepare('update facts set value = ? where name = ?').run('0', 'channels-claimed-at')
  store.close()
}

const PAUSE_MS = 100
/** On a slow machine a claim may not come through; then it is due again. */
const CLAIM_MS = 45_000

/** Lets claims be due until a condition holds. */
export async function claimsUntil(service: LiveService, done: () => Promise<boolean>): Promise<void> {
  for (;;) {
    timePasses(service)
    for (const until = Date.now() + CLAIM_MS; Date.now() < until; await sleep(PAUSE_MS))
      if (await done()) return
  }
}

/** A buyer whose channel is open, with one call. */
export async function openedAt(
  { world }: Stage,
  url: string,
  options?: ChannelBuyerOptions,
): Promise<ChannelBuyer> {
  const buyer = await channelBuyer(world, options)
  expect(await buyer.insist(url, buyer.value())).toBe('verdict')
  return buyer
}

export interface Repetition {
  /** Where the request is repeated; the same service by default. */
  readonly again?: string
  /** Whether the network swallows the first answer. */
  readonly loses?: boolean
  /** Whether the fault has struck; on a slow machine the service may say "later" before it does. */
  readonly struck?: () => boolean
}

/**
 * Sends one call, and the identical request again until it is answered. The fault is healed in between; the client hears
 * only the end, as one does whose transport repeats.
 */
export async function sendAndRepeat(
  buyer: ChannelBuyer,
  url: string,
  heal: () => Promise<unknown> = async () => {},
  { again = url, loses = false, struck = () => true }: Repetition = {},
): Promise<ChannelPlayed> {
  let first = ''
  const repeated = await buyer.buy(url, buyer.value(), async (exchange) => {
    const send = () => shownAnswer(loses ? lose(exchange) : exchange())
    const shown = await untilStruck(struck, send)
    // A client that is corrected sends a second payment.
    first ||= shown
    await heal()
    return insistOn(exchange, again)
  })
  return { buyer, url: again, first, repeated }
}

/** Repeats an act until its fault has struck; what it showed then. */
export async function untilStruck(struck: () => boolean, act: () => Promise<string>): Promise<string> {
  for (;;) {
    const shown = await act()
    if (struck()) return shown
    if (!isLater(shown)) throw new Error(`the fault did not strike, and the answer is ${shown}`)
    await sleep(PAUSE_MS)
  }
}

/** A process has died. */
export const isDead = (service: LiveService) => () => !service.running

/** Plans what the facilitator does with a buyer's next deposit; whether it has come there. */
export async function planDeposit(
  { world }: Stage,
  buyer: ChannelBuyer,
  url: string,
  act: SettleAct,
): Promise<() => boolean> {
  const id = await buyer.channelAt(url)
  world.facilitator.plan(id, act)
  return () => world.facilitator.asked(id) > 0
}

/** The last look: the same client buys once more and takes the rest back; then the chain is asked. */
export async function channelEnding(
  { world }: Stage,
  { buyer, url, first, repeated }: ChannelPlayed,
): Promise<ChannelEnding> {
  const next = await buyer.next(url)
  const id = await buyer.channelAt(url)
  const events = await channelEvents(world, id)
  const count = (name: string) => events.filter((each) => each === name).length
  // A second deposit is taken only after the rest of the first one was paid back.
  expect(count('Deposited'), events.join(', ')).toBe(count('Refunded') + 1)
  expect(await buyer.close(url)).toBe('refunded')
  const taken = buyer.funds - (await world.balance(buyer.address))
  const { balance, claimed } = await channelOnChain(world, id)
  // Nothing is left behind, what was taken is what the store has charged, and no more than was signed for.
  expect({ left: balance - claimed, claimed }).toEqual({ left: 0n, claimed: taken })
  expect(buyer.stored()).toBe(taken)
  expect(taken).toBeLessThanOrEqual(buyer.signed())
  return { first, repeated, answered: buyer.answered(), charged: Number(taken / PRICE), next }
}
