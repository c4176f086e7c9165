import type { FacilitatorClient } from '@x402/core/server'
import type { Ledger } from '../../ledger/ledger.ts'
import type { PaymentRow } from '../../ledger/payment-row.ts'
import type { Network } from '../../payments/networks/network.ts'
import type { SettlementCounts } from '../../surfaces/admin/operator/figures/figures.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { observeFacilitator } from './observe-facilitator.ts'
import { clearedUp, observeLedger } from './observe-ledger.ts'

export interface InstrumentOptions {
  readonly ledger: Ledger
  readonly facilitator: FacilitatorClient
  readonly network: Network
  readonly proofOnChain: boolean
  readonly onClearedUp: (row: PaymentRow, outcome: 'reconciled' | 'written_off') => void
}

export interface Instruments {
  readonly ledger: Ledger
  readonly facilitator: FacilitatorClient
  readonly metrics: Metrics
  /** By outcome, since the process started. */
  readonly settlements: SettlementCounts
}

export function instrument({
  ledger,
  facilitator,
  network,
  proofOnChain,
  onClearedUp,
}: InstrumentOptions): Instruments {
  const metrics = createMetrics(network.name)
  const settlements = { settled: 0, refused: 0, doubtful: 0, not_sent: 0 }
  return {
    metrics,
    settlements,
    ledger: observeLedger(ledger, {
      onCall: metrics.storeCalled,
      onMove: (seen, change) => {
        const outcome = clearedUp(seen, change, proofOnChain)
        if (outcome === null) return
        metrics.reconciled(outcome)
        onClearedUp(seen, outcome === 'settled' ? 'reconciled' : 'written_off')
      },
    }),
    facilitator: observeFacilitator(facilitator, (outcome, ms) => {
      metrics.settlement(outcome, ms)
      settlements[outcome] += 1
    }),
  }
}
