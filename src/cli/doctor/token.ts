import { parseAbi } from 'viem'
import type { LiveConfig } from '../../config.ts'
import { nodeClient } from '../../payments/chain/node-transport.ts'
import { type Finding, fail, warn } from './finding.ts'

const TIMEOUT_MS = 5_000
const ABI = parseAbi([
  'function paused() view returns (bool)',
  'function isBlacklisted(address account) view returns (bool)',
])

/** Checks whether the token itself refuses every payment. No line if the token or the node does not tell. */
export async function checkToken({
  chain,
  payTo,
}: Pick<LiveConfig, 'chain' | 'payTo'>): Promise<readonly Finding[]> {
  const { network } = chain
  const client = nodeClient({ ...chain, timeoutMs: TIMEOUT_MS, retryCount: 0 })
  const token = { address: network.token.address, abi: ABI } as const
  const [isPaused, isBlacklisted, code] = await Promise.all([
    client.readContract({ ...token, functionName: 'paused' }).catch(() => false),
    client.readContract({ ...token, functionName: 'isBlacklisted', args: [payTo] }).catch(() => false),
    client.getCode({ address: payTo }).catch(() => undefined),
  ])
  const found: Finding[] = []
  if (code !== undefined) {
    const advice = 'Make sure that it is a wallet of yours that can send USDC.'
    found.push(warn('pay_to', `PAY_TO is a contract on ${network.title}`, advice))
  }
  if (isPaused) {
    const advice = 'Wait until Circle resumes it; buyers are not charged meanwhile.'
    found.push(fail('token', `USDC is paused on ${network.title}: no payment can be settled`, advice))
  }
  if (isBlacklisted) {
    const advice = 'Set another address of yours, and ask Circle.'
    found.push(fail('token', 'USDC has blacklisted PAY_TO: no payment to it can be settled', advice))
  }
  return found
}
