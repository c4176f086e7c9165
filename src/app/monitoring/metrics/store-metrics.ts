import type { StoreCall } from '../observe-ledger.ts'
import type { MetricMakers } from './metric-makers.ts'

export type StoreMetrics = ReturnType<typeof createStoreMetrics>

const STORE_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2]

export function createStoreMetrics({ counter, histogram }: MetricMakers) {
  const store = histogram(
    'store_duration_seconds',
    STORE_SECONDS,
    'Duration of store calls, by kind.',
    'kind',
  )
  const storeFailures = counter('store_failures_total', 'Store calls that failed, by kind.', 'kind')
  for (const kind of ['read', 'write']) storeFailures.inc({ kind }, 0)
  return {
    storeCalled: ({ kind, ms, failed }: StoreCall) => {
      store.observe({ kind }, ms / 1000)
      if (failed) storeFailures.inc({ kind })
    },
  }
}
