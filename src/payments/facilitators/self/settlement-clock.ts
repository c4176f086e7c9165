import { setTimeout as sleep } from 'node:timers/promises'

export interface SettlementClock {
  /** UTC milliseconds. */
  now(): number
  /** Milliseconds of the monotonic clock. */
  monotonicMs(): number
  sleep(ms: number): Promise<unknown>
}

export const SYSTEM_CLOCK: SettlementClock = { now: Date.now, monotonicMs: () => performance.now(), sleep }
