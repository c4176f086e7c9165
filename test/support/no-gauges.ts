import type { PaymentGauges } from '../../src/app/health/payment-health.ts'

/** Of a network of which nothing is known yet. */
export const NO_GAUGES: PaymentGauges = {
  settlementsLeft: null,
  settlementsPending: null,
  gasPerSale: null,
  settlementBatches: null,
  clockAheadSeconds: null,
}
