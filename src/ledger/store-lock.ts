import type { Ledger } from './ledger.ts'

export interface StoreLockOptions {
  readonly ledger: Pick<Ledger, 'acquireLock' | 'releaseLock'>
  readonly name: string
  /** Startup id of this process. */
  readonly owner: string
  /** UTC milliseconds. */
  readonly now: () => number
}

/** How long the lock outlives a process that died with it. */
const LEASE_MS = 120_000

/**
 * Runs work that one replica at a time may do; null, without running it, while another replica holds the lock.
 *
 * Long work calls `stillHeld` between its steps, which prolongs the lease and returns false once the lock was lost. A
 * lease can run out in the middle of a step, so the work must be harmless if two replicas do it at once.
 */
export async function withStoreLock<T>(
  { ledger, name, owner, now }: StoreLockOptions,
  work: (stillHeld: () => Promise<boolean>) => Promise<T>,
): Promise<T | null> {
  const take = async () => {
    const at = now()
    return (await ledger.acquireLock(name, owner, at, at + LEASE_MS)) ? at : null
  }
  let takenAt = await take()
  if (takenAt === null) return null
  const stillHeld = async () => {
    if (takenAt !== null && now() - takenAt > LEASE_MS / 4) takenAt = await take()
    return takenAt !== null
  }
  try {
    return await work(stillHeld)
  } finally {
    await ledger.releaseLock(name, owner)
  }
}
