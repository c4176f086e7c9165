import type { SettleOutcome } from '../../payments/sale/table/settle-outcome.ts'
import type { SettlementSummary } from '../../surfaces/admin/operator/figures/figures.ts'

export interface SettlementRecord {
  add(outcome: SettleOutcome['kind'], ms: number): void
  summary(): SettlementSummary
}

/** The latency is that of the last so many settlements. */
const KEPT = 1_000

/** Counts and times the settlements of this process since it started. */
export function createSettlementRecord(): SettlementRecord {
  const counts = { settled: 0, refused: 0, doubtful: 0, not_sent: 0 }
  const durations: number[] = []
  let next = 0
  return {
    add(outcome, ms) {
      counts[outcome] += 1
      durations[next] = ms
      next = (next + 1) % KEPT
    },
    summary() {
      const sorted = durations.toSorted((a, b) => a - b)
      const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1]
      const [median, p95, slowest] = [at(0.5), at(0.95), at(1)]
      const isKnown = median !== undefined && p95 !== undefined && slowest !== undefined
      return { counts: { ...counts }, latencyMs: isKnown ? { median, p95, slowest } : null }
    },
  }
}
