import type { IncomingMessage } from 'node:http'
import { boundedCache } from '../../bounded-cache.ts'
import { accessLogFields } from '../access-log-fields.ts'
import { readPaymentHeader } from '../headers/payment-header.ts'
import { pathOf } from '../request-target.ts'
import type { Traffic } from './pace-requests.ts'
import type { UnpaidLimiter } from './unpaid-limiter.ts'

/** Bytes, of requests and free answers, for each unpaid request of RATE_LIMIT_UNPAID. */
const BYTES_EACH = 2 ** 20
/** No call counts for less: what it takes apart from its bytes. */
const LEAST_BYTES = 8_192
/** A chunk may be of one byte, and each is an event of its own. */
const CHUNKED_TIMES = 10
const MINUTE_MS = 60_000
/** What an address may take at once. */
const BURST_MS = 10_000
/** The longest a request is held; a probe is never held beyond what a balancer waits. */
const LONGEST_MS = 5_000
const PROBE_MS = 500
const PROBES: readonly string[] = ['/healthz', '/readyz']
const MOST_KEYS = 100_000

interface Level {
  readonly bytes: number
  /** Milliseconds of the monotonic clock. */
  readonly at: number
}

const UNLIMITED: Traffic = { heldMs: () => 0, add: () => {} }

/**
 * A budget of bytes per client address, for ten seconds at once and refilled steadily. Beyond it requests start later, one
 * at a time on each connection, and none is refused. A call that is sold gives back as much as it took, which its quote took
 * too; one that carries a payment is held only if the address is over its limit of refused payments, for others may share
 * the address.
 */
export function trafficBudget(perMinute: number, limiter: UnpaidLimiter): Traffic {
  if (perMinute === 0) return UNLIMITED
  const perMs = (perMinute * BYTES_EACH) / MINUTE_MS
  const levels = boundedCache<Level>(MOST_KEYS)

  const levelOf = (key: string, now: number): number => {
    const level = levels.get(key)
    return level === undefined ? 0 : Math.max(0, level.bytes - (now - level.at) * perMs)
  }
  const pays = (req: IncomingMessage) =>
    readPaymentHeader(req).kind !== 'none' && limiter.blocked(req, 'payment') === undefined

  return {
    heldMs(req) {
      const beyondMs = levelOf(limiter.clientOf(req), performance.now()) / perMs - BURST_MS
      if (beyondMs <= 0 || pays(req)) return 0
      return Math.min(PROBES.includes(pathOf(req)) ? PROBE_MS : LONGEST_MS, beyondMs)
    },
    add(req, res, bytes) {
      const { code } = accessLogFields(res)
      const isSold = code === 'sold' || code === 'replayed'
      const key = limiter.clientOf(req)
      const now = performance.now()
      const isChunked = req.headers['transfer-encoding'] !== undefined
      const taken = Math.max(LEAST_BYTES, isChunked ? CHUNKED_TIMES * bytes : bytes)
      levels.set(key, { bytes: Math.max(0, levelOf(key, now) + (isSold ? -taken : taken)), at: now })
    },
  }
}
