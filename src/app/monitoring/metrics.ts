import { collectDefaultMetrics, Registry } from 'prom-client'
import { createGauges, type Gauges } from './metrics/gauges.ts'
import { createHttpMetrics, type HttpMetrics } from './metrics/http-metrics.ts'
import { metricMakers } from './metrics/metric-makers.ts'
import { createPaymentMetrics, type PaymentMetrics } from './metrics/payment-metrics.ts'
import { createSaleMetrics, type SaleMetrics } from './metrics/sale-metrics.ts'
import { createStoreMetrics, type StoreMetrics } from './metrics/store-metrics.ts'

/**
 * Names are stable. Labels take their values from closed lists, never a payer, value, path or address, so traffic adds
 * no series. Each series with a rate starts at 0: Prometheus needs it before its first increment.
 */
export interface Metrics extends SaleMetrics, PaymentMetrics, HttpMetrics, StoreMetrics {
  readonly gauges: Gauges
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
