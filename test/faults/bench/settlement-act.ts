import { decodeFunctionData, type Hex, parseTransaction } from 'viem'
import { SETTLEMENT_ABI } from '../../support/channel-chain.ts'
import type { RpcRequest } from './node-proxy.ts'

/** What a request to a node broadcasts to the settlement contract, the last of several acts; null for all others. */
export function settlementAct({ method, params }: RpcRequest): string | null {
  if (method !== 'eth_sendRawTransaction') return null
  const { data = '0x' } = parseTransaction(params[0] as Hex)
  // A nonce that is given up.
  return data === '0x' ? null : nameOf(data)
}

function nameOf(data: Hex): string {
  const { functionName, args } = decodeFunctionData({ abi: SETTLEMENT_ABI, data })
  const [calls] = args as [readonly Hex[]]
  return functionName === 'multicall' ? nameOf(calls.at(-1) as Hex) : functionName
}
