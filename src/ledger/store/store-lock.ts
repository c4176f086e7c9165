import type { LockStore } from './locks.ts'

export interface StoreLockOptions {
  readonly ledger: LockStore
  readonly name: string
  readonly owner: string
  /** UTC milliseconds. */
  readonly now: () => number
}

/** The lock of a process that died is free after this time. No other lock has a longer lease. */
export const LONGEST_LEASE_MS = 120_000

/**
 * Null, without running the work, while another replica holds the lock. Long work calls `stillHeld` between its steps:
 * it renews the lease, and returns false if the lock was lost. A lease can expire during a step, so two replicas at
 * work must be harmless.
 */
export async function withStoreLock<T>(
  { ledger, name, owner, now }: StoreLockOptions,
  work: (stillHeld: () => Promise<boolean>) => Promise<T>,
): Promise<T | null> {
  const take = async () => {
    const at = now()
    return (await ledger.acquireLock(name, owner, at, at + LONGEST_LEASE_MS)) ? at : null
  }
  let takenAt = await take()
  if (takenAt === null) return null
  const stillHeld = async () => {
    if (takenAt !== null && now() - takenAt > LONGEST_LEASE_MS / 4) takenAt = await take()
    return takenAt !== null
  }
  try {
    return await work(stillHeld)
  } finally {
    await ledger.releaseLock(name, owner)
  }
}
