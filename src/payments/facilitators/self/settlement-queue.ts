import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, isAddressEqual, type PublicClient, type TransactionReceipt } from 'viem'
import type { Purpose } from '../../../ledger/treasury-store.ts'
import { createCostBound } from './cost-bound.ts'
import { type DataFee, SETTLEMENT_DATA } from './data-fee.ts'
import { type ContractCall, estimateGas, SETTLEMENT_GAS, SINGLE_SETTLEMENT_GAS } from './gas.ts'
import { withoutEnded } from './lost-nonces.ts'
import { createMutex, type Lock } from './mutex.ts'
import { newestBlockTime } from './newest-block-time.ts'
import { offerAgain } from './offer-again.ts'
import {
  createMemoryJournal,
  isLate,
  newestHash,
  type PendingTransaction,
  type SettlementJournal,
} from './settlement-journal.ts'
import {
  broadcast,
  callOf,
  costOf,
  findReceipt,
  isSameContractCall,
  type Signing,
  signTransaction,
} from './settlement-transaction.ts'
import { sharesOf } from './shares.ts'
import { reserveName, type Treasury, type TreasuryState } from './treasury.ts'

export interface SettlementQueueOptions extends Signing {
  readonly client: PublicClient
  /** Keeps out other processes that send with the same key. */
  readonly lock?: Lock
  /** In memory by default. */
  readonly journal?: SettlementJournal
  /** The most gas one settlement may need: a payer's wallet contract runs at our cost. */
  readonly maxGas?: bigint
  /** The most one settlement may cost, in wei, data fee included; no bound by default. */
  readonly maxCost?: bigint
  /** The only token whose authorizations are settled. */
  readonly token: Hex
  readonly dataFee: DataFee
  /** Books what is spent; without it nothing is booked and no loss is bounded. */
  readonly treasury?: Treasury
  /** Milliseconds to wait for a receipt, between two looks for it, and before a transaction counts as late. */
  readonly timing: { readonly confirmMs: number; readonly lookMs: number; readonly replaceMs: number }
}

export interface SettlementState extends TreasuryState {
  /** Transactions that are signed and not known to be mined. */
  readonly pending: number
  /** True while a settlement costs more than allowed: new sales pause. */
  readonly isTooExpensive: boolean
}

export interface SendLimits {
  readonly purpose: Purpose
  /** Nothing is signed after this time; milliseconds of the monotonic clock. */
  readonly deadline: number
  /** End of the authorization; UTC seconds of the chain's clock. */
  readonly expiresAt: number
}

export interface SettlementQueue {
  /**
   * Sends one call and returns its transaction's hash; the same hash again if that very call is pending already.
   *
   * Rejects only if nothing was sent or can be later: once the transaction may be in the journal, its hash is returned,
   * and it stays pending until the chain shows what became of it or its authorization has ended.
   */
  send(call: ContractCall, limits: SendLimits): Promise<Hex>
  /** Waits for the receipt of a sent call or its replacement; rejects when time is up or the nonce is given up. */
  confirm(hash: Hex, deadline: number): Promise<TransactionReceipt>
  /** Offers late transactions again, and looks whether settlements are affordable again; to be called now and then. */
  tend(): Promise<void>
  state(): SettlementState
}

// A transfer by an ordinary account takes 86,000; wallet contracts that check passkeys up to 400,000.
const MAX_GAS = 600_000n
/** Nodes keep a few dozen transactions per account; more than this waits for nothing. */
const MOST_PENDING = 64
/**
 * One account's queue of transactions.
 *
 * Everything that can fail for a reason of the call's own happens before it gets a nonce, so a bad call never leaves a
 * gap that later ones wait behind. Nonce, signature, journal and broadcast happen under one lock; receipts outside it.
 *
 * After any failure, "nonce too low" included, the transaction stays in the journal, which outlives the process, and is
 * offered again: a second node may say so of the very transaction that the first one took. If the chain shows that another
 * program took its nonce, the call is signed again under the next one. Fees are raised only for a transaction that the
 * node has and does not mine, and never beyond `maxCost`.
 */
export function createSettlementQueue(options: SettlementQueueOptions): SettlementQueue {
  const { client, account, timing, maxGas = MAX_GAS, maxCost, journal = createMemoryJournal() } = options
  const { token, dataFee, treasury } = options
  const lock = createMutex(options.lock)
  const cost = createCostBound(maxCost)
  let pendingCount = 0

  const save = async (pending: readonly PendingTransaction[]) => {
    await journal.save(pending)
    pendingCount = pending.length
  }

  const takenCount = () => client.getTransactionCount({ address: account.address, blockTag: 'pending' })

  /** Books what a nonce has cost, by the receipt of whatever was mined under it. */
  const book = async ({ nonce, raw }: PendingTransaction, receipt: TransactionReceipt) =>
    treasury?.release(reserveName(account.address, nonce), receipt, sharesOf([callOf(raw)], receipt, token))

  const send = async (call: ContractCall, limits: SendLimits): Promise<Hex> => {
    const { deadline, expiresAt, purpose } = limits
    const [estimated, funds] = await Promise.all([
      client.estimateFeesPerGas(),
      client.getBalance({ address: account.address }),
    ])
    // A node reports the estimate of an account that cannot pay for it like a call that reverts.
    if (funds < SETTLEMENT_GAS * estimated.maxFeePerGas) throw new Error('the account cannot pay for the gas')
    const gas = await estimateGas(client, account.address, call, estimated, maxGas)
    const data = await dataFee.before(call.data, gas)
    const fees = cost.lower(estimated, { call, gas, dataFee: data })
    return lock(async () => {
      if (performance.now() > deadline) throw new Error('the settlement ran out of time before it was signed')
      const [journaled, mined, taken, balance] = await Promise.all([
        journal.load(),
        client.getTransactionCount({ address: account.address, blockTag: 'latest' }),
        takenCount(),
        client.getBalance({ address: account.address }),
      ])
      const pending = journaled.filter(({ nonce }) => nonce >= mined)
      const isSame = ({ raw }: PendingTransaction) => isSameContractCall(callOf(raw), call)
      const same = pending.find(isSame)
      if (same !== undefined) return newestHash(same)
      if (pending.length >= MOST_PENDING) throw new Error('too many settlements are pending')
      const promised = pending.reduce((sum, { raw }) => sum + costOf(raw), 0n)
      const worst = gas * fees.maxFeePerGas + data
      if (balance < promised + worst) throw new Error('the account cannot pay for the gas')
      const nonce = Math.max(taken, ...pending.map((each) => each.nonce + 1))
      await treasury?.reserve(reserveName(account.address, nonce), purpose, worst)
      const signed = await signTransaction(options, { nonce, gas, fees, call })
      const entry = { nonce, hashes: [signed.hash], raw: signed.raw, sentAt: Date.now(), expiresAt }
      const others = journaled.filter((each) => !isSame(each))
      // A write that failed may have been made, and then any process offers the transaction.
      const [saved] = await Promise.allSettled([save([...others, entry])])
      if (saved.status === 'fulfilled') await broadcast(client, signed.raw)
      return signed.hash
    })
  }

  /** The lowest nonce holds up all others, so it alone is offered again. */
  const hurryOldest = (): Promise<void> =>
    lock(async () => {
      const [mined, now, journaled] = await Promise.all([
        client.getTransactionCount({ address: account.address, blockTag: 'latest' }),
        newestBlockTime(client),
        journal.load(),
      ])
      const sending = { ...options, cost, takenCount, save, book, now, replaceMs: timing.replaceMs }
      const pending = await withoutEnded(sending, journaled, mined)
      pendingCount = pending.length
      const oldest = pending
        .filter(({ nonce }) => nonce >= mined)
        .reduce<PendingTransaction | undefined>(lowerNonce, undefined)
      if (oldest === undefined || !isLate(oldest, timing.replaceMs)) return
      const others = pending.filter((each) => each !== oldest)
      const offered = await offerAgain(sending, oldest, now)
      await save([...others, offered])
      // After "nonce too low" the next look finds out whether it was mined or another took its place.
      await broadcast(client, offered.raw)
    })

  const confirm = async (hash: Hex, deadline: number): Promise<TransactionReceipt> => {
    let entry: PendingTransaction | undefined
    const until = Math.min(deadline, performance.now() + timing.confirmMs)
    do {
      const pending = await journal.load()
      entry = pending.find((each) => each.hashes.includes(hash)) ?? entry
      const receipt = await findReceipt(client, entry?.hashes ?? [hash])
      // What fails here is booked when the transaction leaves the journal.
      if (receipt !== undefined && entry !== undefined) void book(entry, receipt).catch(() => {})
      if (receipt?.to && isAddressEqual(receipt.to, account.address)) throw new Error('given up')
      if (receipt !== undefined) return receipt
      if (pending.some((each) => isLate(each, timing.replaceMs))) await hurryOldest().catch(() => {})
      await sleep(timing.lookMs)
    } while (performance.now() < until)
    throw new Error('no receipt in time')
  }

  const tend = async (): Promise<void> => {
    await treasury?.tend()
    if (cost.isTooExpensive())
      cost.lower(await client.estimateFeesPerGas(), {
        call: { to: account.address },
        gas: SINGLE_SETTLEMENT_GAS,
        dataFee: await dataFee.before(SETTLEMENT_DATA, SINGLE_SETTLEMENT_GAS),
      })
    if ((await journal.load()).length > 0) await hurryOldest()
    else pendingCount = 0
  }

  return {
    send,
    confirm,
    tend,
    state: () => ({
      ...(treasury?.state() ?? { isSpent: false, isBelowCost: false, gasPerSale: null }),
      pending: pendingCount,
      isTooExpensive: cost.isTooExpensive(),
    }),
  }
}

const lowerNonce = (a: PendingTransaction | undefined, b: PendingTransaction) =>
  a === undefined || b.nonce < a.nonce ? b : a
