import { boundedCache } from '../../../caches/bounded-cache.ts'

const WINDOW_MS = 60_000
const MOST_REFUSALS = 3
const MOST_NAMES = 10_000

export interface RefusalLimiter {
  /** Seconds to wait; 0 if none. A name is a payer, or one of those below. */
  waitSeconds(name: string, now: number): number
  note(name: string, now: number): void
}

/** All contract wallets of a client, because a wallet costs nothing to make. */
export const walletsOf = (client: string): string => `wallets of ${client}`

/** Repeats of a payer's payments without a row, because anybody can copy those from the chain. */
export const lostSalesOf = (payer: string): string => `lost sales of ${payer}`

/** Seconds. `isByPayer`: the payer's own key signed. */
export function waitOf(
  refusals: Pick<RefusalLimiter, 'waitSeconds'>,
  {
    payer,
    client,
    isByPayer,
  }: { readonly payer: string; readonly client: string; readonly isByPayer: boolean },
  now: number,
): number {
  const ofPayer = refusals.waitSeconds(payer, now)
  return isByPayer ? ofPayer : Math.max(ofPayer, refusals.waitSeconds(walletsOf(client), now))
}

/** Counts refused settlements: each costs the facilitator work, so the fourth in a minute must wait. */
export function createRefusalLimiter(windowMs = WINDOW_MS, most = MOST_REFUSALS): RefusalLimiter {
  const refusals = boundedCache<readonly number[]>(MOST_NAMES)
  /** Leaves out times after `now`: the clock has been put back since. */
  const recent = (name: string, now: number) =>
    (refusals.get(name) ?? []).filter((refusedAt) => refusedAt > now - windowMs && refusedAt <= now)
  return {
    waitSeconds(name, now) {
      const times = recent(name, now)
      const oldest = times.at(-most)
      return oldest === undefined ? 0 : Math.ceil((oldest + windowMs - now) / 1000)
    },
    note(name, now) {
      refusals.set(name, [...recent(name, now), now].slice(-most))
    },
  }
}
