import { ChainUnavailable } from '../../payments/chain/chain-reader.ts'
import { createRpcChainReader } from '../../payments/chain/rpc-chain-reader.ts'
import { USDC } from '../../payments/chain/usdc.ts'
import { CHAIN_ID } from '../../payments/terms/terms.ts'
import { type Finding, fail, pass, warn } from './finding.ts'

/** Base makes a block every two seconds. */
const LATE_SECONDS = 60
const STUCK_SECONDS = 600

/** Checks the node at RPC_URL: its chain, the age of its head, and the token's code. */
export async function checkNode(rpcUrl: string, now: () => number): Promise<Finding> {
  const chain = createRpcChainReader({ rpcUrl, token: USDC })
  try {
    const chainId = await chain.chainId()
    if (chainId !== CHAIN_ID) {
      return fail('node', `RPC_URL answers for chain ${chainId}`, `Use a node of Base, chain ${CHAIN_ID}.`)
    }
    if (!(await chain.hasCode(USDC))) {
      return fail('node', 'USDC has no code on the chain of RPC_URL', 'Use a node of Base mainnet.')
    }
    const { number, timestamp } = await chain.head()
    const age = Math.max(0, Math.floor(now() / 1000) - timestamp)
    const found = `chain ${chainId}, block ${number} is ${age} s old, token code present`
    if (age > STUCK_SECONDS) {
      return fail(
        'node',
        found,
        'The node is not in sync (use another one), Base stands still, or the clock here is wrong.',
      )
    }
    return age > LATE_SECONDS
      ? warn('node', found, 'The node is behind: use another one.')
      : pass('node', found)
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    return fail(
      'node',
      'RPC_URL does not answer as a node should',
      'Check the address, its key and the firewall.',
    )
  }
}
