import { collectDefaultMetrics, Registry } from 'prom-client'
import { createGauges, type Gauges } from './metrics/gauges.ts'
import { createHttpMetrics, type HttpMetrics } from './metrics/http-metrics.ts'
import { metricMakers } from './metrics/metric-makers.ts'
import { createPaymentMetrics, type PaymentMetrics } from './metrics/payment-metrics.ts'
import { createSaleMetrics, type SaleMetrics } from './metrics/sale-metrics.ts'
import { createStoreMetrics, type StoreMetrics } from './metrics/store-metrics.ts'

/**
 * The Prometheus metrics; their names are stable.
 *
 * Every label takes its values from a closed list of our own words, never a payer, value, path or address, so traffic
 * cannot add series. Each series with a rate starts at 0: Prometheus can compute a rate only if the series existed before
 * its first increment.
 */
export interface Metrics extends SaleMetrics, PaymentMetrics, HttpMetrics, StoreMetrics {
  /** Set at each scrape; see `scrape.ts`. */
  readonly gauges: Gauges
  /** In the text format of Prometheus. */
  readonly expose: () => Promise<string>
  readonly contentType: string
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const make = metricMakers(registry)
  return {
    ...createSaleMetrics(make),
    ...createPaymentMetrics(make),
    ...createHttpMetrics(make),
    ...createStoreMetrics(make),
    gauges: createGauges(make),
    expose: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
