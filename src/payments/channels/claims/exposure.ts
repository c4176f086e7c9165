/** Atomic units that may be charged and not yet claimed: by one channel, and by all together. */
export const MOST_EXPOSED = { channel: 5_000_000n, all: 50_000_000n } as const

/**
 * What is charged and not yet claimed. Vouchers are safe until a payer has withdrawn, but only a claim makes them
 * money, so their sum is bounded.
 */
export interface Exposure {
  /** Whether a call would go beyond a bound; half of a bound asks for claims. `exposed` is that of the channel. */
  allows(exposed: bigint): boolean
  add(amount: bigint): void
  set(all: bigint): void
  all(): bigint
}

/** Keeps the sum in memory between two looks at the store; `onHalf` is called when claims are due. */
export function createExposure(
  onHalf: () => void,
  bounds: { channel: bigint; all: bigint } = MOST_EXPOSED,
): Exposure {
  let sum = 0n
  return {
    allows(exposed) {
      if (exposed * 2n > bounds.channel || sum * 2n > bounds.all) onHalf()
      return exposed <= bounds.channel && sum <= bounds.all
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
