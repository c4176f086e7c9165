import { keccak256, type LocalAccount, type PublicClient } from 'viem'
import type { Hex } from '../chain/chain-reader.ts'
import { createMutex, type Lock } from './mutex.ts'
import { isRejectedTransaction } from './rpc-faults.ts'

/** A transaction that is signed and about to be broadcast. */
export interface SignedTransaction {
  readonly hash: Hex
  /** The sending account's nonce it takes. */
  readonly nonce: number
}

export interface SettlementQueueOptions {
  readonly client: PublicClient
  /** Pays the gas of every settlement; never the payee. */
  readonly account: LocalAccount
  readonly chainId: number
  /** Called with each transaction after it is signed and before it is sent; when it rejects, nothing is sent. */
  readonly onSigned?: (transaction: SignedTransaction) => Promise<void> | void
  /** Keeps other senders of the same key out, where there are any; among this process's own by default. */
  readonly lock?: Lock
  /** The most gas one settlement may need: a payer's wallet contract runs at our cost. */
  readonly maxGas?: bigint
}

export interface Call {
  readonly to: Hex
  readonly data: Hex
}

export interface SettlementQueue {
  /**
   * Sends one call and returns its transaction hash, which may belong to a transaction nobody has taken yet.
   *
   * Rejects only when nothing was sent: the call would revert, the node cannot be reached, or it refused the
   * transaction. When the broadcast ends in doubt the hash is returned and its receipt has to tell.
   */
  send(call: Call): Promise<Hex>
}

// A transfer by an ordinary account takes 86,000; wallet contracts that check passkeys up to 400,000.
const MAX_GAS = 600_000n

/**
 * One account's queue of transactions.
 *
 * Everything that can fail for a reason of the call's own happens before it gets a nonce, so a bad call never
 * leaves a gap behind which good ones wait. Nonce, signature and broadcast happen under one lock.
 */
export function createSettlementQueue(options: SettlementQueueOptions): SettlementQueue {
  const { client, account } = options
  const lock = options.lock ?? createMutex()
  // With a lock of somebody else's the next nonce may have been taken elsewhere, so it is always asked for.
  const nonces = createNonces(client, account.address, options.lock === undefined)

  return {
    send: async (call) => {
      const [gas, fees] = await Promise.all([estimate(options, call), client.estimateFeesPerGas()])
      return lock(async () => {
        const nonce = await nonces.next()
        const raw = await account.signTransaction({
          type: 'eip1559',
          chainId: options.chainId,
          nonce,
          gas,
          ...fees,
          ...call,
        })
        const hash = keccak256(raw)
        await options.onSigned?.({ hash, nonce })
        await broadcast(client, raw, nonces)
        return hash
      })
    },
  }
}

async function estimate({ client, account, maxGas = MAX_GAS }: SettlementQueueOptions, call: Call): Promise<bigint> {
  const gas = await client.estimateGas({ account: account.address, ...call })
  if (gas > maxGas) throw new Error(`settlement would need ${gas} gas, more than the ${maxGas} allowed`)
  // Storage the call touches may change between estimate and inclusion.
  return (gas * 12n) / 10n
}

async function broadcast(client: PublicClient, raw: Hex, nonces: Nonces): Promise<void> {
  try {
    await client.sendRawTransaction({ serializedTransaction: raw })
    nonces.taken()
  } catch (error) {
    nonces.unknown()
    if (isRejectedTransaction(error)) throw error
  }
}

interface Nonces {
  next(): Promise<number>
  /** The last one was taken by a transaction the node has. */
  taken(): void
  /** It is not known whether it was: ask the node again. */
  unknown(): void
}

function createNonces(client: PublicClient, address: Hex, remember: boolean): Nonces {
  let known: number | undefined
  return {
    next: async () => {
      known ??= await client.getTransactionCount({ address, blockTag: 'pending' })
      return known
    },
    taken: () => {
      known = remember && known !== undefined ? known + 1 : undefined
    },
    unknown: () => {
      known = undefined
    },
  }
}
