/** What buyers have met with. */
export interface SaleLog {
  sold(transaction: string, ms: number): void
  /** No verdict came; once the service is being shut down this is no fault. */
  unanswered(why: string): void
  wrong(what: string): void
  shuttingDown(): void
  readonly transactions: ReadonlySet<string>
  readonly faults: readonly string[]
  readonly lostAtShutdown: number
  /** Milliseconds of the sales since the last time this was asked: the middle one, and the one of a hundred. */
  takeLatency(): { readonly p50: number; readonly p99: number; readonly sales: number }
}

export function createSaleLog(): SaleLog {
  const transactions = new Set<string>()
  const faults: string[] = []
  let times: number[] = []
  let closing = false
  let lost = 0
  return {
    transactions,
    faults,
    get lostAtShutdown() {
      return lost
    },
    sold(transaction, ms) {
      if (transactions.has(transaction)) faults.push('one transaction paid two sales')
      transactions.add(transaction)
      times.push(ms)
    },
    unanswered(why) {
      if (closing) lost += 1
      else faults.push(`no answer: ${why}`)
    },
    wrong: (what) => void faults.push(what),
    shuttingDown() {
      closing = true
    },
    takeLatency() {
      const sorted = times.toSorted((one, other) => one - other)
      times = []
      const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
      return { p50: at(0.5), p99: at(0.99), sales: sorted.length }
    },
  }
}
