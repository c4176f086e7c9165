/**
 * Limits requests that bring no money, per client address and minute, in memory.
 *
 * It is asked before a request is read and told afterwards what came of it, since only the sale knows. Two
 * counts per address: everything unpaid, and refused payments alone. A client that pays is held back by the
 * second only, so a flood of unpaid requests behind a shared address does not stop those who pay.
 */
import type { IncomingMessage } from 'node:http'
import { ipKeyGenerator, MemoryStore } from 'express-rate-limit'
import { clientAddress } from './client-address.ts'

/** Whether the request brought a payment proof, of whatever worth. */
export type Attempt = 'unpaid' | 'payment'

export interface UnpaidLimiter {
  /** Whole seconds until the address may ask again; undefined while it may. */
  blocked(req: IncomingMessage, attempt?: Attempt): Promise<number | undefined>
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

/** One counter of hits per key in a window that begins with the first. */
function counter(limit: number) {
  const store = new MemoryStore()
  // The store reads nothing but the window from the options of the middleware it is part of.
  store.init({ windowMs: WINDOW_MS } as Parameters<MemoryStore['init']>[0])
  return {
    store,
    async secondsLeft(key: string): Promise<number | undefined> {
      const client = await store.get(key)
      if (client === undefined || client.totalHits < limit || client.resetTime === undefined) return undefined
      return Math.max(1, Math.ceil((client.resetTime.getTime() - Date.now()) / 1000))
    },
  }
}

const UNLIMITED: UnpaidLimiter = {
  blocked: () => Promise.resolve(undefined),
  hit: () => {},
  paid: () => {},
  close: () => {},
}

/** Builds the limiter; IPv6 clients are counted by their /56, which is what one customer is given. */
export function unpaidLimiter({ perMinute, trustedProxies }: UnpaidLimiterOptions): UnpaidLimiter {
  if (perMinute === 0) return UNLIMITED
  const unpaid = counter(perMinute)
  const refused = counter(perMinute)
  const keyOf = (req: IncomingMessage) => ipKeyGenerator(clientAddress(req, trustedProxies))

  return {
    blocked: (req, attempt = 'unpaid') => (attempt === 'payment' ? refused : unpaid).secondsLeft(keyOf(req)),
    hit(req, attempt = 'unpaid') {
      const key = keyOf(req)
      void unpaid.store.increment(key)
      if (attempt === 'payment') void refused.store.increment(key)
    },
    paid: (req) => void unpaid.store.decrement(keyOf(req)),
    close() {
      unpaid.store.shutdown()
      refused.store.shutdown()
    },
  }
}
