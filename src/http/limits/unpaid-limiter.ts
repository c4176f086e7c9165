/**
 * Limits requests that bring no money, per client address and minute, in memory.
 *
 * It is asked before a request is read and told afterwards what came of it, since only the sale knows. Two
 * counts per address: everything unpaid, and refused payments alone. A client that pays is held back by the
 * second only, so a flood of unpaid requests behind a shared address does not stop those who pay.
 */
import type { IncomingMessage } from 'node:http'
import { addressKey } from './address-key.ts'
import { clientAddress } from './client-address.ts'
import { hitCounter } from './hit-counter.ts'

/** Whether the request brought a payment proof, of whatever worth. */
export type Attempt = 'unpaid' | 'payment'

export interface UnpaidLimiter {
  /** Whole seconds until the address may ask again; undefined while it may. */
  blocked(req: IncomingMessage, attempt?: Attempt): number | undefined
  /** Counts an outcome without money: a bad request, a quote or a refused payment. */
  hit(req: IncomingMessage, attempt?: Attempt): void
  /** Takes back the quote that came before a sale: a paying client's first request is no unpaid one. */
  paid(req: IncomingMessage): void
  /** Stops the timer that forgets addresses. */
  close(): void
}

export interface UnpaidLimiterOptions {
  /** Outcomes per address and minute; 0 turns the limit off. */
  readonly perMinute: number
  /** Proxies of our own before this process. */
  readonly trustedProxies: number
}

const WINDOW_MS = 60_000

const UNLIMITED: UnpaidLimiter = {
  blocked: () => undefined,
  hit: () => {},
  paid: () => {},
  close: () => {},
}

/** Builds the limiter; IPv6 clients are counted by their /56, which is what one customer is given. */
export function unpaidLimiter({ perMinute, trustedProxies }: UnpaidLimiterOptions): UnpaidLimiter {
  if (perMinute === 0) return UNLIMITED
  const unpaid = hitCounter(perMinute, WINDOW_MS)
  const refused = hitCounter(perMinute, WINDOW_MS)
  const keyOf = keyByAddress(trustedProxies)

  return {
    blocked: (req, attempt = 'unpaid') => (attempt === 'payment' ? refused : unpaid).secondsLeft(keyOf(req)),
    hit(req, attempt = 'unpaid') {
      const key = keyOf(req)
      unpaid.hit(key)
      if (attempt === 'payment') refused.hit(key)
    },
    paid: (req) => unpaid.takeBack(keyOf(req)),
    close() {
      unpaid.close()
      refused.close()
    },
  }
}

/** The key an address is counted under; the address of the last request is remembered, since connections are kept. */
function keyByAddress(trustedProxies: number): (req: IncomingMessage) => string {
  const last = { address: '', key: '' }
  return function keyOf(req) {
    const address = clientAddress(req, trustedProxies)
    if (address !== last.address) {
      last.address = address
      last.key = addressKey(address)
    }
    return last.key
  }
}
