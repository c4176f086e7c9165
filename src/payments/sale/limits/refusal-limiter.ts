import { boundedCache } from '../../../bounded-cache.ts'

const WINDOW_MS = 60_000
const MOST_REFUSALS = 3
/** Names remembered at once. */
const MOST_NAMES = 10_000

export interface RefusalLimiter {
  /** Seconds that a payer, or the contract wallets of a client (`walletsOf`), must wait; 0 if they need not. */
  waitSeconds(name: string, now: number): number
  note(name: string, now: number): void
}

/** The name under which a client's contract wallets are counted together: a wallet costs nothing to make. */
export const walletsOf = (client: string): string => `wallets of ${client}`

/** The name under which repeats of payments without a row are counted: anybody can copy those from the chain. */
export const lostSalesOf = (payer: string): string => `lost sales of ${payer}`

/**
 * Seconds that a payment must wait: for its payer, and if the payer's own key did not sign it, for the contract wallets
 * of its client as well.
 */
export function waitOf(
  refusals: Pick<RefusalLimiter, 'waitSeconds'>,
  {
    payer,
    client,
    isByPayer,
  }: { readonly payer: string; readonly client: string; readonly isByPayer: boolean },
  now: number,
): number {
  const names = isByPayer ? [payer] : [payer, walletsOf(client)]
  return Math.max(...names.map((name) => refusals.waitSeconds(name, now)))
}

/** Counts a payer's refused settlements: each costs the facilitator work, so the fourth in a minute must wait. */
export function createRefusalLimiter(windowMs = WINDOW_MS): RefusalLimiter {
  const refusals = boundedCache<readonly number[]>(MOST_NAMES)
  /** A time after `now` was noted by a clock that has been put back since. */
  const recent = (name: string, now: number) =>
    (refusals.get(name) ?? []).filter((refusedAt) => refusedAt > now - windowMs && refusedAt <= now)
  return {
    waitSeconds(name, now) {
      const times = recent(name, now)
      const oldest = times.at(-MOST_REFUSALS)
      return oldest === undefined ? 0 : Math.max(1, Math.ceil((oldest + windowMs - now) / 1000))
    },
    note(name, now) {
      refusals.set(name, [...recent(name, now), now].slice(-MOST_REFUSALS))
    },
  }
}
