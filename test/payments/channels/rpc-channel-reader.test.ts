/** What is read of the settlement contract over JSON-RPC. */
import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi, toHex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRpcChannelReader } from '../../../src/payments/channels/chain/rpc-channel-reader.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import { type RpcProxy, type RpcRequest, startRpcProxy, type Treatment } from '../../support/rpc-proxy.ts'

const ABI = parseAbi([
  'function channels(bytes32) view returns (uint128, uint128)',
  'function pendingWithdrawals(bytes32) view returns (uint128, uint40)',
  'function refundNonce(bytes32) view returns (uint256)',
  'function receivers(address, address) view returns (uint128, uint128)',
])
const RESULTS = {
  channels: [9n, 4n],
  pendingWithdrawals: [3n, 77],
  refundNonce: 5n,
  receivers: [8n, 6n],
} as const
const BLOCK = 41
const ID: Hex = `0x${'ab'.repeat(32)}`
const [RECEIVER, TOKEN] = [`0x${'c1'.repeat(20)}`, `0x${'d2'.repeat(20)}`]

let node: RpcProxy
const calls: unknown[] = []
const answered = { chainId: BASE.chainId, code: '0x60' }

/** A node whose contract answers with {@link RESULTS}. */
function answer({ method, params }: RpcRequest): Treatment {
  if (method === 'eth_blockNumber') return { result: toHex(BLOCK) }
  if (method === 'eth_chainId') return { result: toHex(answered.chainId) }
  if (method === 'eth_getCode') {
    expect(params[0]).toBe(BASE.contracts.channels)
    return { result: answered.code }
  }
  const [{ to, data }, block] = params as readonly [{ to: Hex; data: Hex }, string]
  const { functionName, args } = decodeFunctionData({ abi: ABI, data })
  calls.push([to, functionName, args, block])
  return { result: encodeFunctionResult({ abi: ABI, functionName, result: RESULTS[functionName] as never }) }
}

beforeEach(async () => {
  node = await startRpcProxy('http://127.0.0.1:9')
  node.treat(answer)
  calls.length = 0
  Object.assign(answered, { chainId: BASE.chainId, code: '0x60' })
})
afterEach(() => node.stop())

const reader = () => createRpcChannelReader({ network: BASE, rpcUrls: [node.url] })

test('a channel is read at one block', async () => {
  expect(await reader().state(ID)).toEqual({
    ...{ balance: 9n, totalClaimed: 4n, refundNonce: 5n, withdrawRequestedAt: 77 },
  })
  const read = (name: string) => [BASE.contracts.channels, name, [ID], toHex(BLOCK)]
  expect(calls.toSorted()).toEqual(['channels', 'pendingWithdrawals', 'refundNonce'].map(read))
})

test('of a payee, what was claimed and what was paid out', async () => {
  expect(await reader().payee(RECEIVER as string, TOKEN as string)).toEqual({ claimed: 8n, settled: 6n })
  expect(JSON.stringify(calls).toLowerCase()).toContain(JSON.stringify([RECEIVER, TOKEN]))
})

test('the contract is there where the chain is the right one and has its code', async () => {
  expect(await reader().hasContract()).toBe(true)
  answered.code = '0x'
  expect(await reader().hasContract()).toBe(false)
  Object.assign(answered, { chainId: BASE.chainId + 1, code: '0x60' })
  expect(await reader().hasContract()).toBe(false)
})
