import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { type Answer, type Counter, type Order, type Refusal, UNKNOWN } from './answer.ts'
import { member } from './json.ts'
import { openCounter } from './open-counter.ts'
import type { NotSigned, PurchaseOutcome, Shop, TermsOutcome } from './purchase.ts'
import { PATIENCE, type Patience, repeatUnchanged } from './repeat-unchanged.ts'
import { termsInUsdc, type Wallet } from './wallet.ts'

/** Buys checks of one type at one service, one after another. */
export interface Buyer {
  /** Asks for the terms of a check; nothing is signed. */
  terms(value: string): Promise<TermsOutcome>
  /** The first purchase asks for the terms, later ones pay by them at once. */
  buy(value: string, wallet: Wallet): Promise<PurchaseOutcome>
}

interface Offer {
  readonly required: PaymentRequired
  readonly terms: PaymentRequirements
  readonly order: Order
}

export function createBuyer(shop: Shop, patience: Patience = PATIENCE): Buyer {
  let counter: Promise<Counter> | undefined
  let known: Omit<Offer, 'order'> | undefined

  async function offerFor(value: string): Promise<Offer | NotSigned> {
    let answer: Answer
    try {
      counter ??= openCounter(shop.surface ?? 'rest', shop.url, shop.type)
      const { ask, prepaid } = await counter
      // The terms are the same for every value of a type; only the first is asked for.
      if (known !== undefined) return { ...known, order: (payload) => prepaid(value, payload) }
      answer = await ask(value)
    } catch {
      counter = undefined
      return { kind: 'unreachable' }
    }
    if (answer.kind === 'sold') return { kind: 'refused', ...UNASKED }
    if (answer.kind !== 'unpaid') return refusalOf(answer)
    const { required, order } = answer
    const terms = termsInUsdc(required)
    if (terms === undefined || BigInt(terms.amount) > shop.maxAmount) {
      return { kind: 'too_dear', terms: terms ?? null }
    }
    known = { required, terms }
    return { required, terms, order }
  }

  async function pay({ required, terms, order }: Offer, wallet: Wallet): Promise<PurchaseOutcome> {
    const payload = await wallet.sign(required, terms)
    const answer = await repeatUnchanged(order(payload), patience)
    if (answer.kind === 'sold') return { ...answer, kind: 'bought', amount: terms.amount }
    const { status, code, detail } = answer
    if (answer.kind !== 'in_doubt') return refusalOf(answer)
    return { kind: 'in_doubt', status, code, detail, state: stateOf(payload, shop.url) }
  }

  return {
    async terms(value) {
      const offer = await offerFor(value)
      return 'order' in offer ? { kind: 'terms', terms: offer.terms } : offer
    },
    async buy(value, wallet) {
      const offer = await offerFor(value)
      return 'order' in offer ? pay(offer, wallet) : offer
    },
  }
}

/** Whoever gives away what costs money is not the service it says it is. */
const UNASKED: Refusal = { status: 200, code: UNKNOWN, detail: 'The service answered without payment.' }

const refusalOf = ({ status, code, detail }: Refusal) => ({ kind: 'refused', status, code, detail }) as const

/** Where the service tells the state of one authorization. */
function stateOf(payload: PaymentPayload, url: string): string {
  const { from, nonce } = member(payload, 'payload', 'authorization')
  return new URL(`/payments/${from}/${nonce}`, url).href
}
