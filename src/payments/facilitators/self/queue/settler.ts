import { type Hex, isAddressEqual, type PublicClient, type TransactionReceipt } from 'viem'
import { memoize } from '../../../../caches/memoize.ts'
import type { ContractCall } from '../../../chain/contract-call.ts'
import { authorizationOf, type BatchForm, type PayerNonce } from '../../../chain/settlement-calls.ts'
import { estimateGas, SETTLEMENT_GAS } from '../gas/gas.ts'
import type { SettlementClock } from '../settlement-clock.ts'
import { pairOf, wasCutShort } from '../transaction/payer-nonce.ts'
import { NotUnderWay } from '../transaction/persist-transaction-hash.ts'
import type { Fees } from '../transaction/settlement-transaction.ts'
import { OverShare, TreasuryRefused } from '../treasury/treasury.ts'
import { chooseBatch, findBatchForm } from './choose-batch.ts'
import type { QueuedCall, SendLimits } from './queued-call.ts'
import type { SettlementQueue } from './settlement-queue.ts'

export interface SettlerOptions {
  readonly client: PublicClient
  readonly clock: SettlementClock
  readonly queue: SettlementQueue
  readonly sender: Hex
  readonly token: Hex
  readonly contractWallets: 'accept' | 'refuse'
  /** The most authorizations in one transaction, and milliseconds to gather them while another is broadcast. */
  readonly batch: { readonly most: number; readonly gatherMs: number }
}

interface Item extends QueuedCall {
  /** Absent for a call that uses no authorization, such as an act of payment channels. */
  readonly name?: PayerNonce
}

export interface Sent {
  readonly hash: Hex
  readonly item?: Item
}

export interface Settler {
  /** See {@link SettlementQueue.dispatch} for what a rejection means. */
  send(call: ContractCall, limits: SendLimits): Promise<Sent>
  /**
   * For an authorization, the part of the receipt that belongs to it. A call that a batch did not reach, or that needs
   * the code of its payer, is sent again alone.
   */
  confirm(sent: Sent, name: PayerNonce | undefined, deadline: number): Promise<TransactionReceipt>
}

/** Wallet contracts that check passkeys take up to 400,000. */
const MAX_GAS = 600_000n
const FEES_MS = 1_000
/** How long it is known whether the chain has the aggregator. */
const FORM_MS = 60_000

/**
 * The first call is sent alone and at once. What arrives until its broadcast or `gatherMs` is over is sent as one
 * transaction, earlier if that is full; each call may fail without the others. A payer with code is sent alone, or
 * refused; the aggregator leaves out one that has got code since.
 */
export function createSettler(options: SettlerOptions): Settler {
  const { client, clock, queue, sender, token, batch, contractWallets } = options
  const waiting: Item[] = []
  let isRunning = false
  let full = Promise.withResolvers<void>()
  const batchForm = memoize(() => findBatchForm(client), FORM_MS, clock.monotonicMs)
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

  const sendBatch = async (fit: readonly Item[], gas: bigint, form: BatchForm): Promise<Dispatched> => {
    try {
      return await queue.dispatch(fit, { gas, fees: await recentFees(), form })
    } catch (error) {
      if (error instanceof OverShare) {
        const isOver = ({ name }: Item) => name !== undefined && error.payers.includes(name.payer)
        for (const each of fit.filter(isOver)) void sendItems([each])
        return sendItems(fit.filter((each) => !isOver(each)))
      }
      if (error instanceof TreasuryRefused) return sendRefused(fit, error)
      if (!(error instanceof NotUnderWay)) throw error
      const isOut = ({ name }: Item) => name !== undefined && error.nonces.includes(name.nonce)
      for (const each of fit.filter(isOut)) each.hash.reject(error)
      return sendItems(fit.filter((each) => !isOut(each)))
    }
  }

  /** The half of a batch may fit under the limit on losses; alone, each may be covered by what its payer has brought in. */
  const sendRefused = async (fit: readonly Item[], refusal: TreasuryRefused): Promise<Dispatched> => {
    const half = Math.ceil(fit.length / 2)
    const dispatched = await sendItems(fit.slice(0, half))
    await dispatched.broadcast
    const rest = fit.slice(half)
    if (dispatched !== NOTHING_SENT) return sendItems(rest)
    const fees = await recentFees()
    const alone = rest.map(async (each) => {
      if (each.name !== undefined && (await queue.covers(each.name.payer, fees))) return sendItems([each])
      each.hash.reject(refusal)
      return NOTHING_SENT
    })
    const sent = (await Promise.all(alone)).filter((each) => each !== NOTHING_SENT)
    return sent.length === 0 ? NOTHING_SENT : { broadcast: Promise.all(sent.map((each) => each.broadcast)) }
  }

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
      const form = await batchForm().catch(() => null)
      const { fit, gas, others } =
        form === null ? { fit: [], gas: 0n, others: items } : await chooseBatch(client, sender, items, form)
      const alone = others.map((each) => sendItems([each]))
      if (form !== null && fit.length > 0) return attempt(fit, () => sendBatch(fit, gas, form))
      return { broadcast: Promise.all(alone) }
    })

  const run = async () => {
    isRunning = true
    for (let most = 1; waiting.length > 0; most = batch.most) {
      const left = sendItems(waiting.splice(0, most))
      const gathered = left.then(({ broadcast }) => Promise.race([broadcast, clock.sleep(batch.gatherMs)]))
      full = Promise.withResolvers()
      if (waiting.length < batch.most) await Promise.race([gathered, full.promise])
    }
    isRunning = false
  }

  const send = async (call: ContractCall, limits: SendLimits, isAlone = batch.most === 1): Promise<Sent> => {
    const name = authorizationOf(call.data)
    const hash = Promise.withResolvers<Hex>()
    const item: Item = { call, limits, hash, ...(name === undefined ? {} : { name }) }
    if (name === undefined || isAlone) void sendItems([item])
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
      // A call without an authorization, such as a wallet's deployment, has no logs of its own.
      if (name === undefined || (item !== undefined && item.name === undefined)) return receipt
      const logs = pairOf(receipt, token, name)
      if (logs !== undefined) return { ...receipt, logs }
      const failed: TransactionReceipt = { ...receipt, status: 'reverted', logs: [] }
      const wasAlone = receipt.to != null && isAddressEqual(receipt.to, token)
      // What a batch came to and did not pay fails alone as well, unless the payer's code would make it.
      const isOpen = contractWallets === 'accept' || receipt.status !== 'success' || wasCutShort(receipt)
      if (item === undefined || wasAlone || !isOpen) return failed
      try {
        ;({ hash, item } = await send(item.call, item.limits, true))
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
