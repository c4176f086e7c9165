import { eip3009ABI } from '@x402/evm'
import { decodeFunctionData, encodeFunctionData, type Hex, multicall3Abi, toFunctionSelector } from 'viem'

export interface ContractCall {
  readonly to: Hex
  readonly data: Hex
}

/** The data of a transaction that only gives a nonce up. */
export const CANCEL_DATA: Hex = '0x'

/** At the same address on every network (multicall3.com). */
export const MULTICALL3: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11'

const AGGREGATE3 = toFunctionSelector('aggregate3((address,bool,bytes)[])')

/**
 * One call that makes several, in order (Multicall3, `aggregate3`).
 *
 * @param allowFailure - whether the others are made if one fails; else all fail with it
 */
export const aggregate = (calls: readonly ContractCall[], allowFailure: boolean): ContractCall => ({
  to: MULTICALL3,
  data: encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls.map(({ to, data }) => ({ target: to, allowFailure, callData: data }))],
  }),
})

/** In a batch, each call may fail without the others. */
export function callOfAll(calls: readonly ContractCall[]): ContractCall {
  const [first, ...more] = calls
  if (first === undefined) throw new Error('a transaction makes a call')
  return more.length === 0 ? first : aggregate(calls, true)
}

const isAggregate = ({ data }: Pick<ContractCall, 'data'>): boolean => data.startsWith(AGGREGATE3)

/** The calls in a batch of this process, or the call itself. */
export function partsOf(call: ContractCall): readonly ContractCall[] {
  if (!isAggregate(call)) return [call]
  const { args } = decodeFunctionData({ abi: multicall3Abi, data: call.data })
  return (args[0] as readonly { target: Hex; callData: Hex }[]).map(({ target, callData }) => ({
    to: target,
    data: callData,
  }))
}

/** Reads the ABI encoding without decoding all of it. */
export const countOf = (call: Pick<ContractCall, 'data'>): number =>
  isAggregate(call) ? Number(`0x${call.data.slice(COUNT_AT, COUNT_AT + 64)}`) : 1

/** Where the list's length is: after `0x`, the selector and the list's offset, in hexadecimal digits. */
const COUNT_AT = 2 + 8 + 64

/** Lower case. */
export interface PayerNonce {
  readonly payer: Hex
  readonly nonce: Hex
}

/** Undefined for a call that is no `transferWithAuthorization`. */
export function authorizationOf(data: Hex): (PayerNonce & { readonly value: bigint }) | undefined {
  if (!TRANSFERS.includes(data.slice(0, 10))) return undefined
  const { args } = decodeFunctionData({ abi: eip3009ABI, data })
  const [payer, , value, , , nonce] = args as unknown as [Hex, Hex, bigint, bigint, bigint, Hex]
  return { payer: payer.toLowerCase() as Hex, nonce: nonce.toLowerCase() as Hex, value }
}

/** Selectors of both forms, with the signature in three parts or in one. */
const TRANSFERS: readonly string[] = eip3009ABI
  .filter(({ name }) => name === 'transferWithAuthorization')
  .map((each) => toFunctionSelector(each as never))
