/** Atomic units. */
export const MOST_EXPOSED = { channel: 5_000_000n, all: 50_000_000n } as const

/** Bounds what is charged and not yet claimed: only a claim turns vouchers into money. */
export interface Exposure {
  /** False beyond a bound; `exposed` is the charged and unclaimed money of one channel. */
  allows(exposed: bigint): boolean
  add(amount: bigint): void
  set(all: bigint): void
  all(): bigint
}

/** Keeps the sum in memory between two reads of the store; `onHalf` is called beyond half of a bound. */
export function createExposure(onHalf: () => void): Exposure {
  let sum = 0n
  return {
    allows(exposed) {
      if (exposed * 2n > MOST_EXPOSED.channel || sum * 2n > MOST_EXPOSED.all) onHalf()
      return exposed <= MOST_EXPOSED.channel && sum <= MOST_EXPOSED.all
    },
    add(amount) {
      sum += amount
    },
    set(all) {
      sum = all
    },
    all: () => sum,
  }
}
