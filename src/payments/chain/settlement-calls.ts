import { eip3009ABI } from '@x402/evm'
import {
  decodeFunctionData,
  getContractAddress,
  type Hex,
  isAddressEqual,
  pad,
  toFunctionSelector,
} from 'viem'
import aggregator from './aggregator/aggregator.generated.json' with { type: 'json' }
import { type BatchMode, packBatch, packedCount, unpackBatch } from './aggregator/packed-batch.ts'
import sentAlong from './aggregator/sent-along.generated.json' with { type: 'json' }
import type { ContractCall, TransactionCall } from './contract-call.ts'

/** How a batch is made: by the contract on the chain, or by code in the transaction where the chain does not have it. */
export type BatchForm = 'deployed' | 'sent along'

/** Puts code at an address that follows from the code alone (github.com/Arachnid/deterministic-deployment-proxy). */
const DEPLOYER: Hex = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const SALT = pad('0x')

export const AGGREGATOR: Hex = getContractAddress({
  opcode: 'CREATE2',
  from: DEPLOYER,
  salt: SALT,
  bytecode: aggregator.creationBytecode as Hex,
})

/** Deploys the aggregator, from any account; once for each chain. */
export const DEPLOYMENT: ContractCall = {
  to: DEPLOYER,
  data: `${SALT}${aggregator.creationBytecode.slice(2)}`,
}

const PROGRAM = sentAlong.creationBytecode as Hex

/** Each call may fail without the others. */
export function batchOf(calls: readonly ContractCall[], form: BatchForm, mode: BatchMode): TransactionCall {
  const batch = packBatch(calls, mode)
  if (form === 'deployed') return { to: AGGREGATOR, data: `0x${batch}` }
  return { to: null, data: `${PROGRAM}${batch}${(batch.length / 2).toString(16).padStart(4, '0')}` }
}

export function callOfAll(calls: readonly ContractCall[], form: BatchForm): TransactionCall {
  const [first, ...more] = calls
  if (first === undefined) throw new Error('a transaction makes a call')
  return more.length === 0 ? first : batchOf(calls, form, 'settle')
}

/** The packed batch in a call, without `0x`; undefined if it has none. */
function packedIn({ to, data }: TransactionCall): string | undefined {
  if (to === null) return data.startsWith(PROGRAM) ? data.slice(PROGRAM.length, -4) : undefined
  return isAddressEqual(to, AGGREGATOR) ? data.slice(2) : undefined
}

/**
 * The calls of a batch of this service, or the call itself; none for code of another program. Packing the calls must
 * give the same bytes again, so that the calls read here are those the chain runs.
 */
export function partsOf(call: TransactionCall, mode: BatchMode = 'settle'): readonly ContractCall[] {
  const packed = packedIn(call)
  if (packed !== undefined) {
    const parts = unpackBatch(packed)
    const again =
      parts.length === 0 ? null : batchOf(parts, call.to === null ? 'sent along' : 'deployed', mode)
    if (again?.data === call.data.toLowerCase()) return parts
  }
  const { to, data } = call
  if (to === null) return []
  return [{ to, data }]
}

export function countOf(call: TransactionCall): number {
  const packed = packedIn(call)
  if (packed !== undefined) return packedCount(packed)
  return 1
}

/** Lower case. */
export interface PayerNonce {
  readonly payer: Hex
  readonly nonce: Hex
}

/** Undefined for a call that is no `transferWithAuthorization`. */
export function authorizationOf(
  data: Hex,
): (PayerNonce & { readonly payTo: Hex; readonly value: bigint }) | undefined {
  if (!TRANSFERS.includes(data.slice(0, 10))) return undefined
  const { args } = decodeFunctionData({ abi: eip3009ABI, data })
  const [payer, payTo, value, , , nonce] = args as unknown as [Hex, Hex, bigint, bigint, bigint, Hex]
  return { payer: payer.toLowerCase() as Hex, nonce: nonce.toLowerCase() as Hex, payTo, value }
}

/** Selectors of both forms, with the signature in three parts or in one. */
const TRANSFERS: readonly string[] = eip3009ABI
  .filter(({ name }) => name === 'transferWithAuthorization')
  .map((each) => toFunctionSelector(each as never))

/**
 * Digits that every transaction holds which makes a call, and few others: the nonce of an authorization, or all its data.
 * Lower case.
 */
export const markOf = (data: string): string =>
  TRANSFERS.includes(data.slice(0, 10)) ? data.slice(10 + 5 * 64, 10 + 6 * 64) : data.slice(2)
