import { randomBytes } from 'node:crypto'
import { encodeFunctionData, type Hex, parseAbi, toHex } from 'viem'
import aggregator from '../../payments/chain/aggregator/aggregator.generated.json' with { type: 'json' }
import { AGGREGATOR } from '../../payments/chain/settlement-calls.ts'
import { CHANNEL_SETTLEMENT, DEPOSIT_COLLECTOR, TOKEN } from '../addresses.ts'
import collector from '../channels/collector.generated.json' with { type: 'json' }
import settlement from '../channels/settlement.generated.json' with { type: 'json' }
import token from '../token/test-usdc.generated.json' with { type: 'json' }
import { callRpc } from './json-rpc.ts'
import multicall3 from './multicall3.generated.json' with { type: 'json' }

// The code at this address is the chain's name. No key belongs to it in practice.
const IDENTITY: Hex = '0x00000000000000000000000000000000f0c8ec42'
const ONE_ETHER = 10n ** 18n
const MINT = parseAbi(['function mint(address to, uint256 value)'])

/**
 * Stand-ins take the place of the contracts of payment channels. Returns the chain's name, which a chain loaded from its
 * state keeps.
 */
export async function provisionChain(rpcUrl: string): Promise<string> {
  await callRpc(rpcUrl, 'anvil_setCode', [TOKEN, token.runtimeBytecode])
  // The stock facilitator of channels reads through it.
  await callRpc(rpcUrl, 'anvil_setCode', [multicall3.address, multicall3.runtimeBytecode])
  await callRpc(rpcUrl, 'anvil_setCode', [AGGREGATOR, aggregator.runtimeBytecode])
  await callRpc(rpcUrl, 'anvil_setCode', [CHANNEL_SETTLEMENT, settlement.runtimeBytecode])
  await callRpc(rpcUrl, 'anvil_setCode', [DEPOSIT_COLLECTOR, collector.runtimeBytecode])
  // Without a first block calls would see the timestamp 1, when no authorization is valid yet.
  await callRpc(rpcUrl, 'evm_mine')
  const known = await callRpc(rpcUrl, 'eth_getCode', [IDENTITY, 'latest'])
  if (typeof known === 'string' && known !== '0x') return known.slice(2)
  const name = randomBytes(16).toString('hex')
  await callRpc(rpcUrl, 'anvil_setCode', [IDENTITY, `0x${name}`])
  return name
}

export async function giveEther(rpcUrl: string, address: Hex): Promise<void> {
  await callRpc(rpcUrl, 'anvil_setBalance', [address, toHex(1_000n * ONE_ETHER)])
}

/** Mints atomic units of the token to an account; returns once they are there. */
export async function mintTokens(rpcUrl: string, address: Hex, amount: bigint): Promise<void> {
  await transact(
    rpcUrl,
    TOKEN,
    encodeFunctionData({ abi: MINT, functionName: 'mint', args: [address, amount] }),
  )
}

/**
 * Returns the hash once mined, throws the revert's message. Each call has its own account, so that calls at the same
 * time do not share a nonce.
 */
export async function transact(rpcUrl: string, to: Hex, data: Hex): Promise<Hex> {
  // The simulation uses the time of the newest block.
  await callRpc(rpcUrl, 'evm_mine')
  const from = toHex(randomBytes(20))
  await giveEther(rpcUrl, from)
  await callRpc(rpcUrl, 'anvil_impersonateAccount', [from])
  await callRpc(rpcUrl, 'eth_call', [{ from, to, data }, 'latest'])
  const hash = (await callRpc(rpcUrl, 'eth_sendTransaction', [{ from, to, data }])) as Hex
  // After this block the transaction is certainly in one.
  await callRpc(rpcUrl, 'evm_mine')
  const receipt = (await callRpc(rpcUrl, 'eth_getTransactionReceipt', [hash])) as { status?: string } | null
  if (receipt?.status !== '0x1') throw new Error(`transaction ${hash} did not succeed`)
  return hash
}
