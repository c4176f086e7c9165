import { type Hex, isAddressEqual, type PublicClient, type TransactionReceipt } from 'viem'
import { type BatchForm, callOfAll, partsOf } from '../../../chain/settlement-calls.ts'
import type { SettlementState } from '../../../ports/own-settlement.ts'
import { createCostBound } from '../gas/cost-bound.ts'
import type { DataFee } from '../gas/data-fee.ts'
import type { SettlementClock } from '../settlement-clock.ts'
import { createFirstBroadcast } from '../transaction/first-broadcast.ts'
import { sharesOf } from '../transaction/payer-nonce.ts'
import {
  callOf,
  carries,
  costOf,
  type Fees,
  minedCall,
  type Signing,
  signTransaction,
} from '../transaction/settlement-transaction.ts'
import { reserveName, type Treasury } from '../treasury/treasury.ts'
import { type Admission, createAdmission } from './admission.ts'
import { createMutex, type Lock } from './mutex.ts'
import { purposeOfAll, type QueuedCall } from './queued-call.ts'
import { createReceipts } from './receipts.ts'
import { createReplaceLate } from './replace-late-transaction.ts'
import {
  createMemoryJournal,
  newestHash,
  type PendingTransaction,
  type SettlementJournal,
} from './settlement-journal.ts'

export interface SettlementQueueOptions extends Signing {
  readonly client: PublicClient
  readonly clock: SettlementClock
  /** Excludes other processes that send with the same key. */
  readonly lock?: Lock
  readonly journal?: SettlementJournal
  /** The most that one settlement may cost, in wei, data fee included; no bound by default. */
  readonly maxCost?: bigint
  readonly token: Hex
  readonly dataFee: DataFee
  readonly treasury: Treasury
  /** Blocks on top of one that no reorganisation takes back any more. */
  readonly finalityDepth: bigint
  /** Milliseconds: to wait for a receipt, the longest pause between two looks, and the age at which a transaction is late. */
  readonly timing: { readonly confirmMs: number; readonly lookMs: number; readonly replaceMs: number }
}

export interface SettlementQueue extends Admission {
  /**
   * A call that is pending already is not sent again. Rejects only if nothing was sent and nothing can be sent later;
   * the calls' hashes are then still open. A transaction in the journal stays pending until the chain shows what became
   * of it or its authorizations have ended. `broadcast` resolves when the node has answered.
   */
  dispatch(
    calls: readonly QueuedCall[],
    price: { readonly gas: bigint; readonly fees: Fees; readonly form?: BatchForm },
  ): Promise<{ readonly broadcast: Promise<unknown> }>
  /** Of a sent call or its replacement; rejects at the deadline, or if the nonce was given up. */
  confirm(hash: Hex, deadline: number): Promise<TransactionReceipt>
  /** Offers late transactions again, and checks whether settlements are affordable again. */
  maintain(): Promise<void>
  state(): SettlementState
}

const isPending = ({ minedIn }: PendingTransaction) => minedIn === undefined

/** Nodes keep only a few dozen pending transactions of an account. */
const MOST_PENDING = 64

/**
 * A call gets its nonce after everything that can fail because of the call itself, so that it leaves no gap. One lock
 * covers nonce, signature and journal. After a failed broadcast the transaction stays in the journal, which outlives
 * the process, and is offered again, also after "nonce too low": a second node may say so of the transaction that the
 * first one took.
 */
export function createSettlementQueue(options: SettlementQueueOptions): SettlementQueue {
  const { client, clock, account, timing, maxCost, journal = createMemoryJournal() } = options
  const { token, dataFee, treasury } = options
  const lock = createMutex(options.lock)
  const cost = createCostBound(maxCost)
  const firstBroadcast = createFirstBroadcast(client)
  let pendingCount = 0
  const batches = new Map<number, number>()

  const save = async (pending: readonly PendingTransaction[]) => {
    await journal.save(pending)
    pendingCount = pending.filter(isPending).length
  }

  const takenCount = () => client.getTransactionCount({ address: account.address, blockTag: 'pending' })
  const minedCount = () => client.getTransactionCount({ address: account.address, blockTag: 'latest' })

  const book = async (entry: PendingTransaction, receipt: TransactionReceipt) => {
    const { transactionHash: hash } = receipt
    // An earlier one may have been mined although the newest only gives the nonce up.
    const call = hash === newestHash(entry) ? callOf(entry.raw) : await minedCall(client, hash)
    const shares = sharesOf(partsOf(call), receipt, token)
    return treasury.release(reserveName(account.address, entry.nonce), receipt, shares)
  }

  const dispatch: SettlementQueue['dispatch'] = async (
    calls,
    { gas, fees: estimated, form = 'deployed' },
  ) => {
    const whole = callOfAll(
      calls.map(({ call }) => call),
      form,
    )
    const data = await dataFee.before(whole.data, gas)
    const fees = cost.lower(estimated, { call: whole, gas, dataFee: data })
    const signed = await lock(async () => {
      const [journaled, mined, taken, balance] = await Promise.all([
        journal.load(),
        minedCount(),
        takenCount(),
        client.getBalance({ address: account.address }),
      ])
      const pending = journaled.filter(({ nonce }) => nonce >= mined)
      const fresh = calls.filter(({ call, limits, hash }) => {
        const same = pending.find(({ raw, hashes }) => carries(raw, call) && !receipts.isSeen(hashes))
        if (same !== undefined) hash.resolve(newestHash(same))
        else if (clock.monotonicMs() > limits.deadline)
          hash.reject(new Error('the settlement ran out of time before it was signed'))
        else return true
        return false
      })
      const [first] = fresh
      if (first === undefined) return undefined
      if (pending.length >= MOST_PENDING) throw new Error('too many settlements are pending')
      const promised = pending.reduce((sum, { raw }) => sum + costOf(raw), 0n)
      if (balance < promised + gas * fees.maxFeePerGas + data)
        throw new Error('the account cannot pay for the gas')
      // The answers may come from two nodes, one of them behind.
      const nonce = Math.max(taken, mined, ...pending.map((each) => each.nonce + 1))
      const call = callOfAll(
        fresh.map((each) => each.call),
        form,
      )
      const worst = cost.worstOf(fees, { call, gas, dataFee: data })
      await treasury.reserve(reserveName(account.address, nonce), purposeOfAll(fresh), worst)
      const { raw, hash } = await signTransaction(options, { nonce, gas, fees, call })
      const expiresAt = Math.max(...fresh.map(({ limits }) => limits.expiresAt))
      const entry = { nonce, hashes: [hash], raw, sentAt: clock.now(), expiresAt }
      // A write that failed may have been made; then any process may offer the transaction, so it counts as sent.
      const [saved] = await Promise.allSettled([save([...journaled, entry])])
      return { entry, hash, fresh, isSaved: saved.status === 'fulfilled' }
    })
    if (signed === undefined) return { broadcast: Promise.resolve() }
    const { entry, hash, fresh, isSaved } = signed
    batches.set(fresh.length, (batches.get(fresh.length) ?? 0) + 1)
    const broadcast = isSaved ? firstBroadcast(entry.raw, hash) : Promise.resolve(undefined)
    receipts.expect(entry, broadcast)
    for (const each of fresh) each.hash.resolve(hash)
    return { broadcast }
  }

  const replaceLate = createReplaceLate({
    ...options,
    ...{ lock, cost, load: journal.load, takenCount, minedCount, save, book, replaceMs: timing.replaceMs },
  })
  const receipts = createReceipts({ client, clock, journal, timing, replaceLate, book })

  const confirm = async (hash: Hex, deadline: number): Promise<TransactionReceipt> => {
    const receipt = await receipts.wait(hash, Math.min(deadline, clock.monotonicMs() + timing.confirmMs))
    if (receipt.to && isAddressEqual(receipt.to, account.address)) throw new Error('given up')
    return receipt
  }

  const lookAtPrice = async () => {
    const refused = cost.refused()
    if (refused === null) return
    cost.lower(await client.estimateFeesPerGas(), {
      ...refused,
      dataFee: await dataFee.before(refused.call.data, refused.gas),
    })
  }

  const maintain = async (): Promise<void> => {
    await treasury.maintain()
    // What is pending does not wait for the price.
    await lookAtPrice().catch(() => {})
    const journaled = await journal.look()
    pendingCount = journaled.filter(isPending).length
    if (journaled.length > 0) await replaceLate()
  }

  return {
    dispatch,
    ...createAdmission({ token, cost, dataFee, treasury }),
    confirm,
    maintain,
    state: () => ({
      ...treasury.state(),
      pending: pendingCount,
      isTooExpensive: cost.refused() !== null,
      batches,
    }),
  }
}
