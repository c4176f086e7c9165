import type { FacilitatorClient } from '@x402/core/server'
import { askSupport } from '../../app/health/facilitator-check.ts'
import { ConfigError, type LiveConfig } from '../../config.ts'
import type { Log } from '../../log.ts'
import { type ChainReader, ChainUnavailable, type Hex } from '../../payments/chain/chain-reader.ts'
import { CHAIN_ID } from '../../payments/terms/terms.ts'
import { checkAccounts } from './check-accounts.ts'

/** Holds the settings of live mode against the world: throws {@link ConfigError} where money could go wrong. */
export async function checkLiveSettings(
  config: LiveConfig,
  parts: {
    readonly chain: ChainReader
    /** Null where this process is the facilitator. */
    readonly facilitator: FacilitatorClient | null
    readonly token: Hex
    readonly log: Log
  },
): Promise<void> {
  const { chain, facilitator, token, log } = parts
  const faults = checkAccounts(config)
  if (config.payTo.toLowerCase() === token.toLowerCase()) {
    faults.push('PAY_TO: is the token itself; what is paid to it is lost')
  }
  try {
    const chainId = await chain.chainId()
    if (chainId !== CHAIN_ID) faults.push(`RPC_URL: answers for chain ${chainId}, not for Base (${CHAIN_ID})`)
    else if (!(await chain.hasCode(token)))
      faults.push('RPC_URL: there is no token at the address of USDC on this chain')
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    faults.push('RPC_URL: the node does not answer')
  }
  const support = facilitator === null ? 'supported' : await askSupport(facilitator)
  if (support === 'unsupported') {
    faults.push('FACILITATOR_URL: this facilitator does not settle x402 version 2, exact, on eip155:8453')
  }
  if (support === 'no_answer') log.warn({ event: 'facilitator_silent', setting: 'FACILITATOR_URL' }, 'boot')
  if (faults.length > 0) throw new ConfigError(faults)
}
