import { clockFault } from './clocks.ts'
import { notBought } from './not-bought.ts'
import { openClient } from './open-client.ts'
import type { NotSigned, PurchaseOptions, PurchaseOutcome, TermsOutcome } from './purchase.ts'
import type { CheckClient, Pay, Reply } from './reply.ts'
import { type Backoff, retry } from './retry.ts'
import { type Offered, offeredIn, TERMS_LIFE_MS } from './signable-terms.ts'
import type { Wallet } from './wallet.ts'

/** Buys checks of one type at one service, one after the other. */
export interface Buyer {
  /** Signs nothing. */
  terms(value: string): Promise<TermsOutcome>
  /** Asks for the terms once and pays by them for ten minutes, or until a purchase fails. */
  buy(value: string, wallet: Wallet): Promise<PurchaseOutcome>
}

interface Offer extends Offered {
  readonly pay: Pay
}

export function createBuyer(options: PurchaseOptions, backoff?: Backoff): Buyer {
  let client: Promise<CheckClient> | undefined
  let known: (Offered & { readonly until: number }) | undefined

  async function offerFor(value: string): Promise<Offer | NotSigned> {
    let pay: Pay
    let reply: Reply
    try {
      client ??= openClient(options.surface ?? 'rest', options.url, options.type)
      const { ask, prepaid } = await client
      pay = (payload) => prepaid(value, payload)
      // The terms are the same for every value of a type.
      if (known !== undefined && performance.now() < known.until && clockFault(known) === null)
        return { ...known, pay }
      reply = await ask(value)
    } catch {
      client = undefined
      return { kind: 'unreachable', url: options.url }
    }
    const offer = offeredIn(reply, options)
    if (offer.kind !== 'offered') return offer
    known = { ...offer, until: performance.now() + TERMS_LIFE_MS }
    return { pay, ...offer }
  }

  async function purchase({ required, terms, pay }: Offer, wallet: Wallet): Promise<PurchaseOutcome> {
    const payload = await wallet.sign(required, terms)
    const reply = await retry(pay(payload), backoff)
    if (reply.kind === 'sold') {
      const { result: verdict, settlement, replayed } = reply
      return { kind: 'bought', verdict, settlement, replayed, amount: terms.amount }
    }
    // The service may have changed its terms.
    known = undefined
    return notBought(reply, payload, options.url)
  }

  return {
    async terms(value) {
      const offer = await offerFor(value)
      return offer.kind === 'offered' ? { kind: 'terms', terms: offer.terms } : offer
    },
    async buy(value, wallet) {
      const offer = await offerFor(value)
      return offer.kind === 'offered' ? (clockFault(offer) ?? purchase(offer, wallet)) : offer
    },
  }
}
