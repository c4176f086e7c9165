import { newestBlock } from '../transaction/newest-block.ts'
import { broadcast } from '../transaction/settlement-transaction.ts'
import { type QueueAccount, withoutEnded } from './lost-nonces.ts'
import type { Lock } from './mutex.ts'
import { createReplacement, fillGap } from './replacement.ts'
import { isLate, type PendingTransaction, type SettlementJournal } from './settlement-journal.ts'

interface ReplaceLateOptions extends QueueAccount {
  readonly lock: Lock
  readonly load: SettlementJournal['load']
}

/**
 * Only the lowest nonce is offered again, because all others wait for it. If the chain waits for a still lower one,
 * that is given up first.
 */
export function createReplaceLate(account: ReplaceLateOptions) {
  const { client, lock, load, minedCount, save, replaceMs } = account
  return async (): Promise<void> => {
    const raw = await lock(async () => {
      const [mined, head, journaled] = await Promise.all([minedCount(), newestBlock(client), load()])
      const pending = await withoutEnded(account, journaled, mined, head)
      const oldest = pending
        .filter(({ nonce }) => nonce >= mined)
        .reduce<PendingTransaction | undefined>(lowerNonce, undefined)
      if (oldest === undefined || !isLate(oldest, replaceMs, account.clock.now())) return undefined
      const isGap = oldest.nonce > mined && (await account.takenCount()) <= mined
      const offered = isGap
        ? await fillGap(account, mined)
        : await createReplacement(account, oldest, head.time)
      await save([...pending.filter((each) => isGap || each !== oldest), offered])
      return offered.raw
    })
    // If the nonce was used meanwhile, the next call finds out by which transaction.
    if (raw !== undefined) await broadcast(client, raw)
  }
}

const lowerNonce = (a: PendingTransaction | undefined, b: PendingTransaction) =>
  a === undefined || b.nonce < a.nonce ? b : a
