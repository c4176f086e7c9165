import { encodeFunctionData, parseAbi } from 'viem'
import { CHAIN_ID } from '../../payments/terms/terms.ts'
import { COMMANDS } from '../command-line/commands.ts'
import { parseArguments } from '../command-line/parse-arguments.ts'
import { UsageError } from '../command-line/usage-error.ts'

const PATH = '/.well-known/agent-registration.json'
const FILE_TYPE = 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1'
/** The identity registry of ERC-8004, deployed at this address on Base. */
const IDENTITY_REGISTRY = '0x8004A169FB4a3325136EB29fA0ceB6D2e539a432'
const ABI = parseAbi(['function register(string agentURI) returns (uint256 agentId)'])

/** `register-8004 --dry-run`: prints the call data of a registration; sends nothing and reads no key. */
export async function register8004(args: readonly string[]): Promise<number> {
  const { values } = parseArguments(COMMANDS['register-8004'], args)
  if (!values['dry-run'])
    throw new UsageError('give --dry-run: this command prints a transaction and sends nothing')
  const agentURI = `${values.url.replace(/\/$/, '')}${PATH}`
  const fault = await faultOf(agentURI)
  if (fault !== null) {
    console.error(`format-checker: ${fault}`)
    return 1
  }
  const call = {
    chainId: CHAIN_ID,
    to: IDENTITY_REGISTRY,
    value: '0',
    data: encodeFunctionData({ abi: ABI, functionName: 'register', args: [agentURI] }),
    function: 'register(string)',
    agentURI,
    agentRegistry: `eip155:${CHAIN_ID}:${IDENTITY_REGISTRY}`,
  }
  console.log(JSON.stringify(call, null, 2))
  return 0
}

/** What is wrong with the file an identity would point to; null if nothing is. */
async function faultOf(agentURI: string): Promise<string | null> {
  try {
    const response = await fetch(agentURI, { redirect: 'error', signal: AbortSignal.timeout(10_000) })
    const file = (await response.json()) as { type?: unknown; active?: unknown }
    if (!response.ok || file.type !== FILE_TYPE) return 'the service publishes no registration file'
    if (file.active !== true)
      console.error('SANDBOX: this service is not active; register its public address instead')
    return null
  } catch {
    return 'the service does not answer with a registration file'
  }
}
