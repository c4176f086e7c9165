import type { IncomingMessage, ServerResponse } from 'node:http'
import { boundedCache } from '../../caches/bounded-cache.ts'
import { accessLogFields } from '../access-log-fields.ts'
import { readPaymentHeader } from '../headers/payment-header.ts'
import { pathOf } from '../request-target.ts'
import type { UnpaidLimiter, UnpaidLimits } from './unpaid-limiter.ts'

/** What client addresses take of the service. */
export interface Traffic {
  /** Milliseconds that a request must wait before it starts, or before more of it is read. */
  heldMs(req: IncomingMessage): number
  /** Returns what a read of so many bytes counts for. */
  weigh(req: IncomingMessage, bytes: number): number
  /** Counts it; less than zero takes it back. */
  count(req: IncomingMessage, weight: number): void
  /** Counts what an answer took beside what its request counted for; of one that is sold, takes back both twice. */
  answered(req: IncomingMessage, res: ServerResponse, bytes: number, weight: number): void
}

export const UNLIMITED: Traffic = { heldMs: () => 0, weigh: () => 0, count: () => {}, answered: () => {} }

/** Bytes of requests and free answers that each unpaid request of RATE_LIMIT_UNPAID stands for. */
const BYTES_EACH = 2 ** 20
/** The least that a call counts for, since it costs work apart from its bytes. */
const LEAST_BYTES = 8_192
/** A chunked body counts so many times its bytes: a chunk may be of one byte, and each is an event of its own. */
const CHUNKED_TIMES = 10
/** What each read costs apart from its bytes: a body may come byte by byte. */
const READ_BYTES = 1_024
/** A budget is whole again after this time at the latest. */
const MINUTE_MS = 60_000
/** How much an address may take at once, as the time in which it is refilled. */
const BURST_MS = 10_000
/** The longest that a request is held; a probe is held no longer than a load balancer waits. */
const LONGEST_MS = 5_000
const PROBE_MS = 500
const PROBES: readonly string[] = ['/healthz', '/readyz']
const MOST_KEYS = 100_000

export interface TrafficBudget extends Traffic {
  close(): void
}

/**
 * A budget of bytes per client address, refilled steadily. Beyond it requests start and are read later; none is refused. A
 * call that is sold counts for nothing, and gives back about as much as its unpaid quote took. A request with a payment is held
 * only if its address is over the limit of refused payments, because paying clients may share an address with others. An
 * address is forgotten at most two minutes after its last request.
 */
export function trafficBudget(
  { perMinute }: Pick<UnpaidLimits, 'perMinute'>,
  limiter: UnpaidLimiter,
): TrafficBudget {
  if (perMinute === 0) return { ...UNLIMITED, close: () => {} }
  const perMs = (perMinute * BYTES_EACH) / MINUTE_MS
  /** By address: when its budget is whole again, in milliseconds of the monotonic clock. */
  const wholeAt = boundedCache<number>(MOST_KEYS)
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [key, at] of [...wholeAt.entries()]) if (at <= now) wholeAt.delete(key)
  }, MINUTE_MS).unref()
  const count = (req: IncomingMessage, weight: number) => {
    const key = limiter.clientOf(req)
    const now = performance.now()
    const at = Math.max(now, wholeAt.get(key) ?? 0) + weight / perMs
    wholeAt.set(key, Math.min(at, now + MINUTE_MS))
  }
  const pays = (req: IncomingMessage) =>
    readPaymentHeader(req).kind !== 'none' && limiter.blocked(req, 'payment') === undefined

  return {
    heldMs(req) {
      const beyondMs = (wholeAt.get(limiter.clientOf(req)) ?? 0) - performance.now() - BURST_MS
      if (beyondMs <= 0 || pays(req)) return 0
      return Math.min(PROBES.includes(pathOf(req)) ? PROBE_MS : LONGEST_MS, beyondMs)
    },
    weigh(req, bytes) {
      const isChunked = req.headers['transfer-encoding'] !== undefined
      return (isChunked ? CHUNKED_TIMES * bytes : bytes) + READ_BYTES
    },
    count,
    answered(req, res, bytes, weight) {
      const { code } = accessLogFields(res)
      const all = Math.max(LEAST_BYTES, weight + bytes)
      const isSold = code === 'sold' || code === 'replayed'
      count(req, (isSold ? -all : all) - weight)
    },
    close: () => clearInterval(timer),
  }
}
