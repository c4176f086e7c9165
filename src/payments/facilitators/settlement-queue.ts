import { setTimeout as sleep } from 'node:timers/promises'
import { keccak256, type LocalAccount, type PublicClient, type TransactionReceipt } from 'viem'
import type { Hex } from '../chain/chain-reader.ts'
import { type Call, estimateGas, type Fees, raiseFees } from './gas.ts'
import { createMutex, type Lock } from './mutex.ts'
import { createNonces, type Nonces } from './nonces.ts'
import { isRejectedTransaction } from './rpc-faults.ts'

/** A transaction that is signed and about to be broadcast. */
export interface SignedTransaction {
  readonly hash: Hex
  /** The sending account's nonce it takes. */
  readonly nonce: number
  readonly call: Call
  /** The hash it takes the place of, when an earlier one with the same nonce and call was not mined in time. */
  readonly replaces?: Hex
}

export interface SettlementQueueOptions {
  readonly client: PublicClient
  /** Pays the gas of every settlement; never the payee. */
  readonly account: LocalAccount
  readonly chainId: number
  /** Called with each transaction after it is signed and before it is sent; when it rejects, nothing is sent. */
  readonly onSigned?: (transaction: SignedTransaction) => Promise<void> | void
  /** Keeps out others who send with the same key, where there are any. */
  readonly lock?: Lock
  /** The most gas one settlement may need: a payer's wallet contract runs at our cost. */
  readonly maxGas?: bigint
  /** Milliseconds to wait for a receipt, between two looks for it, and before a transaction is replaced. */
  readonly timing: { readonly confirmMs: number; readonly lookMs: number; readonly replaceMs: number }
}

export interface SettlementQueue {
  /**
   * Sends one call and returns its transaction's hash, which may be of a transaction no node has taken yet.
   *
   * Rejects only when nothing was sent: the call would revert, the node cannot be reached, or it refused the
   * transaction. When a broadcast ends in doubt the hash is returned, and `confirm` has to tell.
   */
  send(call: Call): Promise<Hex>
  /** Waits for the receipt of a sent call, under this hash or that of its replacement; rejects when time is up. */
  confirm(hash: Hex): Promise<TransactionReceipt>
}

interface Sent {
  readonly call: Call
  readonly nonce: number
  readonly gas: bigint
  fees: Fees
  sentAt: number
  /** Newest last. */
  readonly hashes: Hex[]
}

// A transfer by an ordinary account takes 86,000; wallet contracts that check passkeys up to 400,000.
const MAX_GAS = 600_000n

/**
 * One account's queue of transactions.
 *
 * All that can fail for a reason of the call's own happens before it gets a nonce, so a bad call never leaves a
 * gap behind which good ones wait. Nonce, signature and broadcast happen under one lock; receipts outside of it.
 */
export function createSettlementQueue(options: SettlementQueueOptions): SettlementQueue {
  const { client, account, timing, maxGas = MAX_GAS } = options
  const lock = createMutex(options.lock)
  const nonces = createNonces(client, account.address, options.lock === undefined)
  const unmined = new Set<Sent>()

  const send = async (call: Call): Promise<Hex> => {
    const [gas, fees] = await Promise.all([
      estimateGas(client, account.address, call, maxGas),
      client.estimateFeesPerGas(),
    ])
    return lock(async () => {
      const sent: Sent = { call, gas, fees, nonce: await nonces.next(), sentAt: Date.now(), hashes: [] }
      const raw = await sign(options, sent)
      unmined.add(sent)
      const taken = await broadcast(client, raw, nonces)
      if (taken !== 'refused') return newest(sent)
      unmined.delete(sent)
      throw new Error('the node refused the transaction')
    })
  }

  /** The lowest nonce holds up all others: when it is late, it is offered again at a higher fee. */
  const hurryOldest = async (): Promise<void> => {
    const oldest = [...unmined].reduce<Sent | undefined>(lowerNonce, undefined)
    if (oldest === undefined || !isLate(oldest)) return
    await lock(async () => {
      if (!isLate(oldest)) return
      oldest.sentAt = Date.now()
      oldest.fees = raiseFees(oldest.fees, await client.estimateFeesPerGas())
      const raw = await sign(options, oldest)
      // Refused means that its nonce is used: this one was mined, or another took its place.
      if ((await broadcast(client, raw)) === 'refused') unmined.delete(oldest)
    })
  }
  const isLate = (sent: Sent) => unmined.has(sent) && Date.now() - sent.sentAt >= timing.replaceMs

  const confirm = async (hash: Hex): Promise<TransactionReceipt> => {
    const sent = [...unmined].find((candidate) => candidate.hashes.includes(hash))
    const deadline = Date.now() + timing.confirmMs
    while (Date.now() < deadline) {
      const receipt = await findReceipt(client, sent?.hashes ?? [hash])
      if (receipt !== undefined) {
        if (sent !== undefined) unmined.delete(sent)
        return receipt
      }
      await hurryOldest().catch(() => {})
      await sleep(timing.lookMs)
    }
    throw new Error('no receipt in time')
  }

  return { send, confirm }
}

/** Signs with the entry's present fees, adds the hash to it, and tells whoever keeps the record. */
async function sign({ account, chainId, onSigned }: SettlementQueueOptions, sent: Sent): Promise<Hex> {
  const { call, nonce, gas, fees } = sent
  const raw = await account.signTransaction({ type: 'eip1559', chainId, nonce, gas, ...fees, ...call })
  const hash = keccak256(raw)
  const replaces = sent.hashes.at(-1)
  await onSigned?.({ hash, nonce, call, ...(replaces === undefined ? {} : { replaces }) })
  sent.hashes.push(hash)
  return raw
}

type Broadcast = 'taken' | 'refused' | 'unknown'

async function broadcast(client: PublicClient, raw: Hex, nonces?: Nonces): Promise<Broadcast> {
  try {
    await client.sendRawTransaction({ serializedTransaction: raw })
    nonces?.taken()
    return 'taken'
  } catch (error) {
    nonces?.forget()
    return isRejectedTransaction(error) ? 'refused' : 'unknown'
  }
}

/** A failure to look is waited out like a receipt that is not there yet. */
async function findReceipt(
  client: PublicClient,
  hashes: readonly Hex[],
): Promise<TransactionReceipt | undefined> {
  for (const hash of hashes) {
    const receipt = await client.getTransactionReceipt({ hash }).catch(() => undefined)
    if (receipt !== undefined) return receipt
  }
  return undefined
}

const newest = (sent: Sent) => sent.hashes.at(-1) as Hex

const lowerNonce = (a: Sent | undefined, b: Sent) => (a === undefined || b.nonce < a.nonce ? b : a)
