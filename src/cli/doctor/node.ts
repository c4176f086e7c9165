import type { LiveConfig } from '../../config.ts'
import { ChainUnavailable } from '../../payments/chain/chain-reader.ts'
import { createRpcChainReader } from '../../payments/chain/rpc-chain-reader.ts'
import { verifyChain } from '../../payments/chain/verified-reader.ts'
import type { Network } from '../../payments/networks/network.ts'
import { type Finding, fail, pass, warn } from './finding.ts'

/** Many blocks of any network. */
const LATE_SECONDS = 60
const STUCK_SECONDS = 600

export const checkNodes = ({ network, rpcUrls }: LiveConfig['chain'], now: () => number) =>
  Promise.all(
    rpcUrls.map(async (rpcUrl, at, { length }) => {
      const finding = await checkNode(rpcUrl, network, now)
      return length === 1 ? finding : { ...finding, found: `${at + 1} of ${length}: ${finding.found}` }
    }),
  )

async function checkNode(rpcUrl: string, network: Network, now: () => number): Promise<Finding> {
  const { title, token } = network
  const chain = createRpcChainReader({ rpcUrl, token: token.address })
  try {
    const chainId = await chain.chainId()
    if (chainId !== network.chainId) {
      const advice = `Use a node of ${title}, chain ${network.chainId}, or set NETWORK.`
      return fail('node', `RPC_URL answers for chain ${chainId}`, advice)
    }
    if (!(await chain.hasCode(token.address))) {
      return fail('node', 'USDC has no code on the chain of RPC_URL', `Use a node of ${title}.`)
    }
    const { number, timestamp } = await verifyChain(chain, network).head()
    const age = Math.floor(now() / 1000) - timestamp
    if (age < -LATE_SECONDS) {
      const ahead = `block ${number} is ${-age} s ahead of the clock of this machine`
      return fail('node', ahead, 'Set the clock, and keep it by NTP.')
    }
    const found = `chain ${chainId}, block ${number} is ${Math.max(0, age)} s old, token code present`
    if (age > STUCK_SECONDS) {
      return fail(
        'node',
        found,
        'The node is not in sync (use another one), the chain stands still, or the clock here is wrong.',
      )
    }
    return age > LATE_SECONDS
      ? warn('node', found, 'The node is behind: use another one.')
      : pass('node', found)
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    if (error.fault === 'wrong_chain')
      return fail(
        'node',
        'the token of RPC_URL has another EIP-712 domain than USDC',
        `Use a node of ${title}.`,
      )
    return fail(
      'node',
      'RPC_URL does not answer as a node should',
      'Check the address, its key and the firewall.',
    )
  }
}
