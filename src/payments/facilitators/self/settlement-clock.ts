import { setTimeout as sleep } from 'node:timers/promises'

export interface QueueClock {
  /** UTC milliseconds. */
  now(): number
  /** Milliseconds of the monotonic clock. */
  monotonicMs(): number
  sleep(ms: number): Promise<unknown>
}

export const SYSTEM_CLOCK: QueueClock = { now: Date.now, monotonicMs: () => performance.now(), sleep }
