import type { Hex, PublicClient, TransactionReceipt } from 'viem'
import { boundedCache } from '../../../../caches/bounded-cache.ts'
import type { SettlementClock } from '../settlement-clock.ts'
import { findReceipt } from '../transaction/settlement-transaction.ts'
import { isLate, newestHash, type PendingTransaction, type SettlementJournal } from './settlement-journal.ts'

export interface ReceiptsOptions {
  readonly client: PublicClient
  readonly clock: SettlementClock
  readonly journal: Pick<SettlementJournal, 'look'>
  /** Milliseconds: the longest pause between two looks, and the age at which a transaction is late. */
  readonly timing: { readonly lookMs: number; readonly replaceMs: number }
  readonly replaceLate: () => Promise<void>
  /** Books what a transaction has cost; if that fails, it is booked when the transaction leaves the journal. */
  readonly book: (mined: PendingTransaction, receipt: TransactionReceipt) => Promise<unknown>
}

export interface Receipts {
  /** Of the transaction or its replacement; rejects at `until`, in monotonic milliseconds. */
  wait(hash: Hex, until: number): Promise<TransactionReceipt>
  /** Announces a broadcast whose answer may be the receipt; until then the node is not asked for it. */
  expect(entry: PendingTransaction, broadcast: Promise<TransactionReceipt | undefined>): void
  isSeen(hashes: readonly Hex[]): boolean
}

interface Waiter {
  readonly hash: Hex
  readonly until: number
  readonly done: PromiseWithResolvers<TransactionReceipt>
}

const FIRST_LOOK_MS = 100
const GROWTH = 1.5
/** A node answers a broadcast with the receipt within two seconds (EIP-7966), or not at all. */
const BROADCAST_MS = 2_500
const MOST_SEEN = 128

/** Looks for the receipts of one account's transactions; all waiters share each look. */
export function createReceipts({
  client,
  clock,
  journal,
  timing,
  replaceLate,
  book,
}: ReceiptsOptions): Receipts {
  const seen = boundedCache<TransactionReceipt>(MOST_SEEN)
  /** All hashes of replaced transactions, which another process may have taken from the journal. */
  const replaced = boundedCache<readonly Hex[]>(MOST_SEEN)
  const quietUntil = new Map<Hex, number>()
  const waiters = new Set<Waiter>()
  let delay = 0
  let isLooking = false

  const settle = (hash: Hex, entry: PendingTransaction | undefined, receipt: TransactionReceipt) => {
    if (entry !== undefined) void book(entry, receipt).catch(() => {})
    seen.set(hash, receipt)
    for (const each of waiters) {
      if (each.hash !== hash) continue
      each.done.resolve(receipt)
      waiters.delete(each)
    }
  }

  const look = async (hash: Hex, entry: PendingTransaction | undefined): Promise<boolean> => {
    if (clock.monotonicMs() < (quietUntil.get(hash) ?? 0)) return false
    const hashes = entry?.hashes ?? replaced.get(hash) ?? [hash]
    if (hashes.length > 1) replaced.set(hash, hashes)
    const receipt = await findReceipt(client, hashes)
    if (receipt !== undefined) settle(hash, entry, receipt)
    return receipt !== undefined
  }

  const round = async () => {
    const pending = await journal.look().catch((): readonly PendingTransaction[] => [])
    const entryOf = (hash: Hex) => pending.find(({ hashes }) => hashes.includes(hash))
    const left = [...new Set([...waiters].map(({ hash }) => hash))]
      .map((hash) => ({ hash, entry: entryOf(hash) }))
      .sort((a, b) => (a.entry?.nonce ?? 0) - (b.entry?.nonce ?? 0))
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      if (await look(next.hash, next.entry)) delay = 0
      else if (next.entry !== undefined) {
        // While the lowest nonce is not mined, no later one is, unless another program took the lowest: so the newest is tried.
        const newest = left.pop()
        if (newest === undefined || !(await look(newest.hash, newest.entry))) break
      }
    }
    const isDue = (each: PendingTransaction) =>
      each.minedIn === undefined && isLate(each, timing.replaceMs, clock.now())
    if (pending.some(isDue)) await replaceLate().catch(() => {})
  }

  const run = async () => {
    if (isLooking) return
    isLooking = true
    while (waiters.size > 0) {
      delay = Math.min(Math.max(delay * GROWTH, FIRST_LOOK_MS), timing.lookMs)
      await clock.sleep(delay)
      await round()
      for (const each of waiters) {
        if (clock.monotonicMs() < each.until) continue
        each.done.reject(new Error('no receipt in time'))
        waiters.delete(each)
      }
    }
    isLooking = false
  }

  return {
    wait: async (hash, until) => {
      const known = seen.get(hash)
      if (known !== undefined) return known
      const done = Promise.withResolvers<TransactionReceipt>()
      waiters.add({ hash, until, done })
      delay = 0
      void run()
      return done.promise
    },
    expect: (entry, broadcast) => {
      const hash = newestHash(entry)
      quietUntil.set(hash, clock.monotonicMs() + BROADCAST_MS)
      void broadcast.then((receipt) => {
        quietUntil.delete(hash)
        if (receipt !== undefined) settle(hash, entry, receipt)
      })
    },
    isSeen: (hashes) => hashes.some((hash) => seen.has(hash)),
  }
}
