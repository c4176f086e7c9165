/** Whether this process can serve requests, and what keeps it from taking money. */
import type { Ledger } from '../../ledger/ledger.ts'
import type { PaymentTrouble } from '../../surfaces/status/status.ts'
import type { PaymentHealth } from './payment-health.ts'

export interface Readiness {
  /**
   * Store and migrations are there and the process is not shutting down. Not the node or the facilitator: without them
   * new sales pause, but known payments, documents and quotes are served by every replica.
   */
  ready(): Promise<boolean>
  /** Why payments are paused, or may be soon; empty while all is well. */
  troubles(): Promise<readonly PaymentTrouble[]>
  /** Makes the process unready; calls under way go on. */
  drain(): void
}

export function createReadiness(
  ledger: Pick<Ledger, 'ready'>,
  { troubles }: Pick<PaymentHealth, 'troubles'>,
): Readiness {
  let draining = false
  return {
    ready: async () => !draining && (await ledger.ready()),
    troubles: async () => [
      ...troubles(),
      ...(draining ? (['shutting_down'] as const) : []),
      ...((await ledger.ready().catch(() => false)) ? [] : (['store_unavailable'] as const)),
    ],
    drain: () => {
      draining = true
    },
  }
}
