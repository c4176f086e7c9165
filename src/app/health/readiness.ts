/** Whether this process can do its work, and what keeps it from taking money. */
import type { Ledger } from '../../ledger/ledger.ts'
import type { PaymentTrouble } from '../../surfaces/status/status.ts'
import type { PaymentHealth } from './payment-health.ts'

export interface Readiness {
  /** Config, store, migrations and node are there, and the process is not shutting down. */
  ready(): Promise<boolean>
  /** Why payments are paused, or may be soon; empty while all is well. */
  troubles(): Promise<readonly PaymentTrouble[]>
  /** From now on not ready; calls under way go on. */
  drain(): void
}

export function createReadiness(
  ledger: Pick<Ledger, 'ready'>,
  { troubles, chainUp }: Pick<PaymentHealth, 'troubles' | 'chainUp'>,
): Readiness {
  let draining = false
  return {
    ready: async () => !draining && chainUp() && (await ledger.ready()),
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
