import type { FacilitatorClient } from '@x402/core/server'
import { askSupport } from '../../app/health/facilitator-check.ts'
import { ConfigError, type LiveConfig } from '../../config.ts'
import type { Log } from '../../log.ts'
import { USDC } from '../../payments/chain/usdc.ts'
import { checkAccounts } from './check-accounts.ts'

/**
 * Checks the settings of live mode against accounts and facilitator; throws {@link ConfigError} if money could go wrong.
 * A node that is away or serves another chain is no startup error: new sales pause until it is right.
 */
export async function checkLiveSettings(
  config: LiveConfig,
  parts: {
    /** Null where this process is the facilitator. */
    readonly facilitator: FacilitatorClient | null
    readonly log: Log
  },
): Promise<void> {
  const { facilitator, log } = parts
  const faults = await checkAccounts(config)
  if (config.payTo.toLowerCase() === USDC.toLowerCase()) {
    faults.push('PAY_TO: is the token itself; what is paid to it is lost')
  }
  const heard = facilitator === null ? null : await askSupport(facilitator)
  if (heard?.support === 'unsupported') {
    faults.push('FACILITATOR_URL: this facilitator does not settle x402 version 2, exact, on eip155:8453')
  }
  if (heard?.support === 'no_answer')
    log.warn({ event: 'facilitator_silent', setting: 'FACILITATOR_URL', ...heard.symptom }, 'startup')
  if (faults.length > 0) throw new ConfigError(faults)
}
