import { type Hex, isAddressEqual, type PublicClient, type TransactionReceipt } from 'viem'
import { boundedCache } from '../../../../caches/bounded-cache.ts'
import { memoize } from '../../../../caches/memoize.ts'
import {
  authorizationOf,
  type ContractCall,
  MULTICALL3,
  type PayerNonce,
} from '../../../chain/settlement-calls.ts'
import { estimateGas, SETTLEMENT_GAS } from '../gas/gas.ts'
import type { SettlementClock } from '../settlement-clock.ts'
import { pairOf } from '../transaction/payer-nonce.ts'
import { NotUnderWay } from '../transaction/persist-transaction-hash.ts'
import type { Fees } from '../transaction/settlement-transaction.ts'
import { TreasuryRefused } from '../treasury/treasury.ts'
import { chooseBatch } from './choose-batch.ts'
import type { QueuedCall, SendLimits } from './queued-call.ts'
import type { SettlementQueue } from './settlement-queue.ts'

export interface SettlerOptions {
  readonly client: PublicClient
  readonly clock: SettlementClock
  readonly queue: SettlementQueue
  /** Address of the queue's account. */
  readonly sender: Hex
  readonly token: Hex
  readonly contractWallets: 'accept' | 'refuse'
  /** The most authorizations in one transaction, and milliseconds to gather them while another is broadcast. */
  readonly batch: { readonly most: number; readonly gatherMs: number }
}

interface Item extends QueuedCall {
  /** Absent for a call that uses no authorization, such as an act of payment channels. */
  readonly name?: PayerNonce
  /** The most calls in its transaction, itself included. */
  readonly most: number
  /** All calls of its transaction, itself included. */
  companions: readonly Item[]
}

export interface Sent {
  readonly hash: Hex
  readonly item?: Item
}

export interface Settler {
  /** Sends a call, alone or with others; see {@link SettlementQueue.dispatch} for what a rejection means. */
  send(call: ContractCall, limits: SendLimits): Promise<Sent>
  /**
   * Waits for the receipt; of a batch, its part that belongs to this authorization. A call that failed in a batch is sent
   * again in a batch of half the size, and finally alone.
   */
  confirm(sent: Sent, name: PayerNonce | undefined, deadline: number): Promise<TransactionReceipt>
}

/** Wallet contracts that check passkeys take up to 400,000. */
const MAX_GAS = 600_000n
const FEES_MS = 1_000
const MOST_SINGLES = 10_000

/**
 * The first is sent alone and at once. What arrives while it is prepared, and then until its broadcast or `gatherMs` is
 * over, is sent as one transaction, earlier if that is full; each call in it may fail without the others.
 *
 * Multicall3 does not bound the gas of a call, so one payer could burn what the others need. A payer with code is
 * therefore sent alone, and so is one whose call once failed in a batch although it should not.
 */
export function createSettler(options: SettlerOptions): Settler {
  const { client, clock, queue, sender, token, batch, contractWallets } = options
  const waiting: Item[] = []
  const singles = boundedCache<true>(MOST_SINGLES)
  let isRunning = false
  /** Resolves once enough calls wait to fill a transaction. */
  let full = Promise.withResolvers<void>()
  const recentFees = memoize((): Promise<Fees> => client.estimateFeesPerGas(), FEES_MS, clock.monotonicMs)

  const sendSingle = async (item: Item): Promise<Dispatched> => {
    const { call, name } = item
    const [fees, funds, code] = await Promise.all([
      client.estimateFeesPerGas(),
      client.getBalance({ address: sender }),
      contractWallets === 'refuse' && name ? client.getCode({ address: name.payer }) : undefined,
    ])
    // The check of the payer used a cached answer; its next settlement is refused with the protocol's reason.
    if (code !== undefined && code !== '0x') throw new Error('the payer has become a contract')
    // Checked first: a node reports an estimate that the account cannot pay for like a call that reverts.
    if (funds < SETTLEMENT_GAS * fees.maxFeePerGas) throw new Error('the account cannot pay for the gas')
    return queue.dispatch([item], { gas: await estimateGas(client, sender, call, fees, MAX_GAS), fees })
  }

  const sendBatch = async (fit: readonly Item[], gas: bigint): Promise<Dispatched> => {
    for (const each of fit) each.companions = fit
    try {
      return await queue.dispatch(fit, { gas, fees: await recentFees() })
    } catch (error) {
      if (error instanceof TreasuryRefused) {
        const half = Math.ceil(fit.length / 2)
        const dispatched = await sendItems(fit.slice(0, half))
        await dispatched.broadcast
        const rest = fit.slice(half)
        if (dispatched !== NOTHING_SENT) return sendItems(rest)
        // Not even a single call was admitted, so the rest is not tried.
        for (const each of rest) each.hash.reject(error)
        return NOTHING_SENT
      }
      if (!(error instanceof NotUnderWay)) throw error
      const isOut = ({ name }: Item) => name !== undefined && error.nonces.includes(name.nonce)
      for (const each of fit.filter(isOut)) each.hash.reject(error)
      return sendItems(fit.filter((each) => !isOut(each)))
    }
  }

  /** If the work fails, these items are rejected and no others. */
  const attempt = async (items: readonly Item[], work: () => Promise<Dispatched>): Promise<Dispatched> => {
    try {
      return await work()
    } catch (error) {
      for (const each of items) each.hash.reject(error)
      return NOTHING_SENT
    }
  }

  const sendItems = (items: readonly Item[]): Promise<Dispatched> =>
    attempt(items, async () => {
      const [only, ...more] = items
      if (only === undefined) return NOTHING_SENT
      if (more.length === 0) return sendSingle(only)
      const { fit, gas, others } = await chooseBatch(client, sender, items)
      const alone = others.map((each) => sendItems([each]))
      if (fit.length > 0) return attempt(fit, () => sendBatch(fit, gas))
      return { broadcast: Promise.all(alone) }
    })

  /** Takes the next ones in order, as many as each of them allows. */
  const take = (most: number): readonly Item[] => {
    const items: Item[] = []
    for (let room = most; items.length < room; waiting.shift()) {
      const [next] = waiting
      if (next === undefined || next.most <= items.length) break
      room = Math.min(room, next.most)
      items.push(next)
    }
    return items
  }

  const run = async () => {
    isRunning = true
    for (let most = 1; waiting.length > 0; most = batch.most) {
      const left = sendItems(take(most))
      const gathered = left.then(({ broadcast }) => Promise.race([broadcast, clock.sleep(batch.gatherMs)]))
      full = Promise.withResolvers()
      if (waiting.length < batch.most) await Promise.race([gathered, full.promise])
    }
    isRunning = false
  }

  const send = async (call: ContractCall, limits: SendLimits, most = batch.most): Promise<Sent> => {
    const name = authorizationOf(call.data)
    const hash = Promise.withResolvers<Hex>()
    const item: Item = { call, limits, hash, most, companions: [], ...(name === undefined ? {} : { name }) }
    if (name === undefined || most === 1 || singles.has(name.payer)) void sendItems([item])
    else {
      waiting.push(item)
      if (waiting.length >= batch.most) full.resolve()
      if (!isRunning) void run()
    }
    return { hash: await hash.promise, item }
  }

  const confirm: Settler['confirm'] = async (sent, name, deadline) => {
    for (let { hash, item } = sent; ; ) {
      const receipt = await queue.confirm(hash, deadline)
      if (name === undefined || !receipt.to || !isAddressEqual(receipt.to, MULTICALL3)) return receipt
      const logs = pairOf(receipt, token, name)
      if (logs !== undefined) return { ...receipt, logs }
      const failed: TransactionReceipt = { ...receipt, status: 'reverted', logs: [] }
      if (item === undefined || item.companions.length < 2) return failed
      // The first unpaid one is the one that may have burned the gas of those after it.
      const isUnpaid = (each: Item) =>
        each.name !== undefined && pairOf(receipt, token, each.name) === undefined
      if (receipt.status === 'success' && item.companions.find(isUnpaid) === item)
        singles.set(name.payer, true)
      try {
        ;({ hash, item } = await send(item.call, item.limits, Math.ceil(item.companions.length / 2)))
      } catch {
        return failed
      }
    }
  }

  return { send, confirm }
}

interface Dispatched {
  /** Resolves when the node has answered. */
  readonly broadcast: Promise<unknown>
}

const NOTHING_SENT: Dispatched = { broadcast: Promise.resolve() }
