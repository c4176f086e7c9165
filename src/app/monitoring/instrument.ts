import type { Ledger } from '../../ledger/ledger.ts'
import type { PaymentRow } from '../../ledger/payments/payment-row.ts'
import type { SettlementCounts } from '../../surfaces/admin/operator/figures/figures.ts'
import { mapAll, type NonEmpty } from '../../values/non-empty.ts'
import type { NetworkParts } from '../options.ts'
import { createMetrics } from './metrics.ts'
import { observeFacilitator } from './observe-facilitator.ts'
import { clearedUp, observeLedger } from './observe-ledger.ts'

export interface InstrumentOptions {
  readonly ledger: Ledger
  readonly networks: NonEmpty<NetworkParts>
  readonly proofOnChain: boolean
  readonly onClearedUp: (row: PaymentRow, outcome: 'reconciled' | 'written_off') => void
}

export type Instruments = ReturnType<typeof instrument>

export function instrument({ ledger, networks, proofOnChain, onClearedUp }: InstrumentOptions) {
  const metrics = createMetrics()
  const settlements = { settled: 0, refused: 0, doubtful: 0, not_sent: 0 }
  return {
    metrics,
    settlements: settlements as SettlementCounts,
    ledger: observeLedger(ledger, {
      onCall: metrics.storeCalled,
      onMove: (seen, change) => {
        const outcome = clearedUp(seen, change, proofOnChain)
        if (outcome === null) return
        metrics.reconciled(outcome)
        onClearedUp(seen, outcome === 'settled' ? 'reconciled' : 'written_off')
      },
    }),
    networks: mapAll(
      networks,
      (parts): NetworkParts => ({
        ...parts,
        facilitator: observeFacilitator(parts.facilitator, (outcome, ms) => {
          metrics.settlement(outcome, ms)
          settlements[outcome] += 1
        }),
      }),
    ),
  }
}
