import type { Ledger } from '../../ledger/ledger.ts'

export interface StoreLockOptions {
  readonly ledger: Ledger
  readonly name: string
  /** Boot id of this process. */
  readonly owner: string
  /** UTC milliseconds. */
  readonly now: () => number
}

/** How long the lock outlives a process that died with it. */
const LEASE_MS = 120_000

/**
 * Does work that one replica at a time may do; null, and nothing done, while another one is at it.
 *
 * Long work asks `stillMine` between its steps: that prolongs the lease, and says false once the lock was lost. What
 * is done under it has to be harmless when two do it at once, since a lease can run out in the middle of a step.
 */
export async function underStoreLock<T>(
  { ledger, name, owner, now }: StoreLockOptions,
  work: (stillMine: () => Promise<boolean>) => Promise<T>,
): Promise<T | null> {
  const take = async () => {
    const at = now()
    return (await ledger.acquireLock(name, owner, at, at + LEASE_MS)) ? at : null
  }
  let takenAt = await take()
  if (takenAt === null) return null
  const stillMine = async () => {
    if (takenAt !== null && now() - takenAt > LEASE_MS / 4) takenAt = await take()
    return takenAt !== null
  }
  try {
    return await work(stillMine)
  } finally {
    await ledger.releaseLock(name, owner)
  }
}
