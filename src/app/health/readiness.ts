import { memoize } from '../../caches/memoize.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { StoreUnavailable } from '../../ledger/store/store-unavailable.ts'
import type { PaymentTrouble } from '../../surfaces/site/status/status.ts'
import type { PaymentHealth } from './payment-health.ts'

type Troubled = Pick<PaymentHealth, 'troubles'>

export type Readiness = ReturnType<typeof createReadiness>

/** How long a store that was ready counts as ready. */
const READY_MS = 1_000

const STORE_TROUBLE = {
  full: 'store_full',
  read_only: 'store_read_only',
  no_answer: 'store_unavailable',
} as const satisfies Record<StoreUnavailable['fault'], PaymentTrouble>

export function createReadiness(ledger: Pick<Ledger, 'ready'>) {
  let isDraining = false
  // Balancers ask often, and are not limited.
  const stored = memoize(() => ledger.ready(), READY_MS)
  // Concurrent calls, one for each network, share one query; its result is not cached.
  const storeTroubles = memoize(() => askStore(ledger), 0)
  return {
    /**
     * Node and facilitator do not count: without them new sales pause, but every replica still serves known payments,
     * documents and quotes.
     */
    ready: async () => !isDraining && (await stored()),
    troubles: async (network: Troubled): Promise<readonly PaymentTrouble[]> => [
      ...network.troubles(),
      ...(isDraining ? (['shutting_down'] as const) : []),
      ...(await storeTroubles()),
    ],
    /** Makes the process unready; open calls go on. */
    drain: () => {
      isDraining = true
    },
  }
}

async function askStore(ledger: Pick<Ledger, 'ready'>): Promise<readonly PaymentTrouble[]> {
  try {
    return (await ledger.ready()) ? [] : ['store_unavailable']
  } catch (error) {
    return [error instanceof StoreUnavailable ? STORE_TROUBLE[error.fault] : 'store_unavailable']
  }
}
