import {
  type Hex,
  keccak256,
  type LocalAccount,
  type PublicClient,
  parseTransaction,
  TransactionNotFoundError,
  type TransactionReceipt,
} from 'viem'
import { CANCEL_DATA, type ContractCall, type TransactionCall } from '../../../chain/contract-call.ts'
import { markOf, partsOf } from '../../../chain/settlement-calls.ts'

/** Prices of EIP-1559, in wei per unit of gas. */
export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

export interface SignedTransaction {
  readonly hash: Hex
  readonly nonce: number
  readonly call: TransactionCall
  /** The hash of the earlier transaction for the same call, if that was not mined in time or lost its nonce. */
  readonly replaces?: Hex | undefined
}

export interface Signing {
  /** Pays the gas of every settlement; never the payee. */
  readonly account: LocalAccount
  readonly chainId: number
  /** Before it is sent; if it rejects, nothing is sent. */
  readonly onSigned?: (transaction: SignedTransaction) => Promise<void> | void
}

export interface TransactionContent {
  readonly nonce: number
  readonly gas: bigint
  readonly fees: Fees
  readonly call: TransactionCall
}

export async function signTransaction(
  { account, chainId, onSigned }: Signing,
  { nonce, gas, fees, call, replaces }: TransactionContent & { readonly replaces?: Hex },
): Promise<{ readonly raw: Hex; readonly hash: Hex }> {
  const raw = await account.signTransaction({ type: 'eip1559', chainId, nonce, gas, ...fees, ...call })
  const hash = keccak256(raw)
  await onSigned?.({ hash, nonce, call, replaces })
  return { raw, hash }
}

/**
 * Resolves whatever the node answers: no failure proves that it did not take the transaction (see
 * `createSettlementQueue`).
 */
export async function broadcast(client: PublicClient, raw: Hex): Promise<void> {
  await client.sendRawTransaction({ serializedTransaction: raw }).catch(() => {})
}

/** Rejects if the node does not answer. */
export async function isNowhere(client: PublicClient, hashes: readonly Hex[]): Promise<boolean> {
  for (const hash of hashes) {
    try {
      await client.getTransaction({ hash })
      return false
    } catch (error) {
      if (!(error instanceof TransactionNotFoundError)) throw error
    }
  }
  return true
}

/** Tries every hash; undefined also if the node does not answer. */
export async function findReceipt(
  client: PublicClient,
  hashes: readonly Hex[],
): Promise<TransactionReceipt | undefined> {
  for (const hash of hashes) {
    const receipt = await client.getTransactionReceipt({ hash }).catch(() => undefined)
    if (receipt !== undefined) return receipt
  }
  return undefined
}

/** Throws for any other text. */
export function contentOf(raw: Hex): TransactionContent {
  const {
    nonce = 0,
    gas = 0n,
    maxFeePerGas = 0n,
    maxPriorityFeePerGas = 0n,
    ...rest
  } = parseTransaction(raw as `0x02${string}`)
  return {
    nonce,
    gas,
    fees: { maxFeePerGas, maxPriorityFeePerGas },
    call: { to: rest.to ?? null, data: rest.data ?? '0x' },
  }
}

/** Rejects if the node does not answer. */
export async function minedCall(client: PublicClient, hash: Hex): Promise<TransactionCall> {
  const { to, input } = await client.getTransaction({ hash })
  return { to, data: input }
}

export const callOf = (raw: Hex): TransactionCall => contentOf(raw).call

/** The most that a signed transaction can cost, in wei. */
export function costOf(raw: Hex): bigint {
  const { gas, fees } = contentOf(raw)
  return gas * fees.maxFeePerGas
}

/** Whether a signed transaction makes a call, alone or in a batch: it is equal to one of the calls that it makes. */
export function carries(raw: Hex, call: ContractCall): boolean {
  const [to, data] = [call.to.toLowerCase(), call.data.toLowerCase()]
  const isSame = (part: ContractCall) => part.to.toLowerCase() === to && part.data.toLowerCase() === data
  return data !== CANCEL_DATA && raw.includes(markOf(data)) && partsOf(callOf(raw)).some(isSame)
}
