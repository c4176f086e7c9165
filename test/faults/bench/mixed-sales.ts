import { setTimeout as sleep } from 'node:timers/promises'
import type { PaymentPayload, SettleResponse } from '@x402/core/types'
import { CHECK_TYPES, type CheckType } from 'format-checker-checks/verdict'
import type { PrivateKeyAccount } from 'viem'
import { signPayment, termsFor } from '../../support/chain-payments.ts'
import { mutate, validValue } from '../../support/identifiers.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'
import { COUNTERS, type Outcome } from './counters.ts'
import { HONEST, type SettleAct } from './facilitator-proxy.ts'
import { faultNonce, STORE_STEPS, type StoreAct } from './fault-nonce.ts'
import type { Fleet } from './fleet.ts'

/** One sale to be made: by whom, of what, over which protocol. */
export interface MixedSale {
  readonly index: number
  readonly buyer: PrivateKeyAccount
  readonly counter: string
  readonly type: CheckType
  readonly value: string
  readonly payload: PaymentPayload
}

const PAUSE_MS = 500
const LIFE_SECONDS = 400
/** Enough for a settlement not to be written down at first. */
const MOST_STORE_FAULTS = 6
const SURFACES = Object.keys(COUNTERS)

const pending = (truth: SettleResponse | undefined, payer: string) => ({
  success: false,
  errorReason: 'settlement_pending',
  transaction: truth?.transaction ?? `0x${'5'.repeat(64)}`,
  network: 'eip155:8453',
  payer,
})

/** What a facilitator does when it is not honest; it never lies about money. */
const FACILITATOR_FAULTS: readonly SettleAct[] = [
  { lands: 'before', says: 'reset' },
  { lands: 'never', says: 'reset' },
  { lands: 'before', says: { status: 500, body: '{}' } },
  { lands: 'never', says: { status: 504, body: '' } },
  { lands: 'before', says: { status: 502, body: '<html></html>', type: 'text/html' } },
  { lands: 'after', says: { status: 504, body: '' } },
  { lands: 'never', says: 'truth' },
  { lands: 'before', says: pending },
  { lands: 'never', says: pending },
]
const STORE_FAULTS: readonly StoreAct[] = ['down', 'unheard', 'slow', 'read-only', 'full']

/** A facilitator that fails so many times in a hundred. */
export function unreliable(random: SeededRandom, percent: number): () => SettleAct {
  return () => (random.int(100) < percent ? random.pick(FACILITATOR_FAULTS) : HONEST)
}

/** Signs a sale of random kind; with `storeFaults` every tenth meets one. No buyer buys the same twice. */
export async function signSale(
  fleet: Pick<Fleet, 'payTo'>,
  buyer: PrivateKeyAccount,
  index: number,
  random: SeededRandom,
  options: { readonly storeFaults?: boolean } = {},
): Promise<MixedSale> {
  const type = random.pick(CHECK_TYPES)
  const good = validValue(type, 1 + index)
  const value = random.int(3) === 0 ? mutate(good, random) : good
  const faulty = options.storeFaults === true && random.int(10) === 0
  const { payload } = await signPayment(buyer, termsFor(fleet.payTo), {
    ...(faulty ? { nonce: randomFault(random) } : {}),
    validBefore: String(Math.floor(Date.now() / 1000) + LIFE_SECONDS),
  })
  return { index, buyer, counter: random.pick(SURFACES), type, value, payload }
}

const randomFault = (random: SeededRandom) =>
  faultNonce({
    step: random.pick(STORE_STEPS),
    act: random.pick(STORE_FAULTS),
    times: 1 + random.int(MOST_STORE_FAULTS),
  })

export interface MadeSale {
  readonly outcome: Outcome
  /** Requests it took. */
  readonly requests: number
}

/** Sends a sale until it is answered or the deadline (UTC milliseconds) has passed. */
export async function makeSale(url: string, sale: MixedSale, deadline: number): Promise<MadeSale> {
  const send = COUNTERS[sale.counter]
  if (send === undefined) throw new Error('no such counter')
  for (let requests = 1; ; requests += 1) {
    const outcome = await send(url, sale)
    if (outcome.kind !== 'later' || Date.now() > deadline) return { outcome, requests }
    await sleep(PAUSE_MS)
  }
}

/** Does the work for all items, so many at a time. */
export async function inLanes<T>(items: readonly T[], lanes: number, work: (item: T) => Promise<void>) {
  let next = 0
  const lane = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
