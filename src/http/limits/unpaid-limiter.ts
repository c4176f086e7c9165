import type { IncomingMessage } from 'node:http'
import { readPaymentHeader } from '../headers/payment-header.ts'
import type { Middleware } from '../middleware.ts'
import { addressKey } from './address-key.ts'
import { clientAddress } from './client-address.ts'
import { hitCounter, type Returnable } from './hit-counter.ts'

/** Whether a request carried a payment, valid or not. */
export type Attempt = 'unpaid' | 'payment'

export const attemptOf = ({ kind }: { readonly kind: string }): Attempt =>
  kind === 'none' ? 'unpaid' : 'payment'

/**
 * Limits requests that bring no money, per client address and minute, in memory.
 *
 * A surface asks before it reads a request and counts the outcome afterwards. Each address has two counts: everything
 * unpaid, and refused payments alone. Only the second limits a paying client, so a flood of unpaid requests from a shared
 * address does not stop clients that pay. Requests under way count as if they had failed, so that a burst cannot pass
 * before its first outcome is known.
 */
export interface UnpaidLimiter {
  /** Counts a POST request until its response is closed; mounted before the surfaces. */
  readonly track: Middleware
  /** Returns the whole seconds until the client may ask again; undefined if it may ask now. */
  blocked(req: IncomingMessage, attempt?: Attempt): number | undefined
  /** Counts an outcome without money: a bad request, a refused payment, or what a sale may give back. */
  hit(req: IncomingMessage, attempt?: Attempt, kind?: Returnable): void
  /** Takes back the hit of a question about a payment that was made. */
  takeBack(req: IncomingMessage): void
  /** Takes back so many quotes, and some free calls, once they led to a sale; nothing else. */
  giveBack(req: IncomingMessage, quotes: number): void
  /** The key under which the client's address is counted. */
  clientOf(req: IncomingMessage): string
  close(): void
}

/** Set on a POST request under way: whether it is counted as a payment too. A property is read faster than a `WeakMap`. */
const PAYS = Symbol('counted as a payment')

type Tracked = IncomingMessage & { [PAYS]?: boolean }

const WINDOW_MS = 60_000
/** A burst is over within seconds. */
const UNDER_WAY_RETRY_SECONDS = 1

export interface UnpaidLimits {
  /** Outcomes that are allowed per address; 0 turns the limit off. */
  readonly perMinute: number
  readonly trustedProxies: number
}

export function unpaidLimiter({ perMinute, trustedProxies }: UnpaidLimits): UnpaidLimiter {
  const keyOf = keyByAddress(trustedProxies)
  const most = perMinute === 0 ? Number.POSITIVE_INFINITY : perMinute
  const unpaid = hitCounter(WINDOW_MS)
  const refused = hitCounter(WINDOW_MS)
  const underWay = { unpaid: new Map<string, number>(), payment: new Map<string, number>() }
  const add = (attempt: Attempt, key: string, by: 1 | -1) => {
    const count = (underWay[attempt].get(key) ?? 0) + by
    if (count > 0) underWay[attempt].set(key, count)
    else underWay[attempt].delete(key)
  }

  return {
    track(req: Tracked, res, next) {
      if (req.method === 'POST') {
        const key = keyOf(req)
        req[PAYS] = false
        add('unpaid', key, 1)
        res.on('close', () => {
          add('unpaid', key, -1)
          if (req[PAYS]) add('payment', key, -1)
        })
      }
      next()
    },
    blocked(req: Tracked, attempt = 'unpaid') {
      const key = keyOf(req)
      const counter = attempt === 'payment' ? refused : unpaid
      // A surface also asks with "payment" before the body that may hold one is read; the headers alone tell until then.
      const pays = attempt === 'payment' && (req.complete || readPaymentHeader(req).kind !== 'none')
      if (pays && req[PAYS] === false) {
        req[PAYS] = true
        add('payment', key, 1)
      }
      const { hits, secondsLeft } = counter.read(key)
      if (hits >= most) return secondsLeft
      const others = (underWay[attempt].get(key) ?? 1) - 1
      return hits + others >= most ? UNDER_WAY_RETRY_SECONDS : undefined
    },
    hit(req, attempt = 'unpaid', kind) {
      const key = keyOf(req)
      unpaid.hit(key, kind)
      if (attempt === 'payment') refused.hit(key)
    },
    takeBack: (req) => unpaid.takeBack(keyOf(req)),
    giveBack: (req, quotes) => unpaid.giveBack(keyOf(req), quotes),
    clientOf: keyOf,
    close() {
      unpaid.close()
      refused.close()
    },
  }
}

/** Returns the key of a request's address; keeps the last one, because connections are reused. */
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
