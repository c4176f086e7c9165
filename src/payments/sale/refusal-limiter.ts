const WINDOW_MS = 60_000
const MOST_REFUSALS = 3
/** Payers remembered at once; the oldest are forgotten first. */
const MOST_PAYERS = 10_000

export interface RefusalLimiter {
  /** Seconds this payer, or this client of contract wallets, has to wait; 0 when it need not. */
  waitSeconds(payer: string, now: number): number
  note(payer: string, now: number): void
}

/** The name under which a client's contract wallets are counted together: a wallet costs nothing to make. */
export const walletsOf = (client: string): string => `wallets of ${client}`

/** Counts a payer's refused settlements: each costs the facilitator work, so the fourth in a minute has to wait. */
export function createRefusalLimiter(): RefusalLimiter {
  const refusals = new Map<string, number[]>()
  const recent = (payer: string, now: number) =>
    (refusals.get(payer) ?? []).filter((refusedAt) => refusedAt > now - WINDOW_MS)
  return {
    waitSeconds(payer, now) {
      const times = recent(payer, now)
      const oldest = times.at(-MOST_REFUSALS)
      return oldest === undefined ? 0 : Math.max(1, Math.ceil((oldest + WINDOW_MS - now) / 1000))
    },
    note(payer, now) {
      const times = [...recent(payer, now), now].slice(-MOST_REFUSALS)
      refusals.delete(payer)
      refusals.set(payer, times)
      if (refusals.size > MOST_PAYERS) refusals.delete(refusals.keys().next().value as string)
    },
  }
}
