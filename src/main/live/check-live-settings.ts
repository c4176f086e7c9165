import type { FacilitatorClient } from '@x402/core/server'
import { askSupport } from '../../app/health/facilitator-check.ts'
import { ConfigError, type LiveConfig } from '../../config.ts'
import type { Log } from '../../log.ts'
import type { Signer } from '../../payments/ports/signer.ts'
import { checkAccounts } from './check-accounts.ts'
import { wrongNodes } from './live-chain.ts'

/**
 * Throws {@link ConfigError} if a payment could go to the wrong place or could not be settled. A silent node is no
 * fault: new sales pause until it answers.
 */
export async function checkLiveSettings(
  config: LiveConfig,
  parts: {
    /** Null if this process is the facilitator. */
    readonly facilitator: FacilitatorClient | null
    readonly settlement: Signer['settlement']
    readonly log: Log
  },
): Promise<void> {
  const { facilitator, settlement, log } = parts
  const { chain, payTo } = config
  const { network } = chain
  const faults = [...(await checkAccounts(config, settlement)), ...(await wrongNodes(chain))]
  if (payTo.toLowerCase() === network.token.address.toLowerCase()) {
    faults.push('PAY_TO: is the token itself; what is paid to it is lost')
  }
  const heard = facilitator === null ? null : await askSupport(facilitator, network)
  if (heard?.support === 'unsupported') {
    faults.push(
      `FACILITATOR_URL: this facilitator does not settle x402 version 2, exact, on ${network.id} (NETWORK=${network.name})`,
    )
  }
  if (heard?.support === 'no_answer')
    log.warn({ event: 'facilitator_silent', setting: 'FACILITATOR_URL', ...heard.symptom }, 'startup')
  if (faults.length > 0) throw new ConfigError(faults)
}
