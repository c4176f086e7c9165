import type { FacilitatorClient } from '@x402/core/server'
import type { Log } from '../../log.ts'
import type { Network } from '../../payments/networks/network.ts'
import { repeat } from '../jobs/repeat.ts'
import { askSupport, type FacilitatorSupport } from './facilitator-check.ts'

const POLL_MS = 60_000

const EVENTS = {
  supported: 'facilitator_up',
  unsupported: 'facilitator_unsupported',
  no_answer: 'facilitator_silent',
} as const satisfies Record<FacilitatorSupport, string>

/**
 * Sales pause if the facilitator does not settle our kind of payment, but not while it is silent: it may be back for
 * the next one.
 */
export function monitorFacilitator(facilitator: FacilitatorClient, network: Network, log: Log) {
  let support: FacilitatorSupport = 'supported'
  const poll = async () => {
    const heard = await askSupport(facilitator, network)
    if (heard.support !== support) {
      const event = EVENTS[heard.support]
      log.warn({ event, setting: 'FACILITATOR_URL', ...heard.symptom }, 'facilitator')
    }
    support = heard.support
  }
  const loop = repeat(POLL_MS, poll, 0)
  // Before the first answer `supported`, because the start has asked already.
  return { support: () => support, stop: loop.stop }
}
