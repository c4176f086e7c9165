import type { FigureStore } from '../../ledger/figures/figure-store.ts'
import type { ServiceCount } from '../../ledger/figures/service-history.ts'
import type { LockStore } from '../../ledger/store/locks.ts'
import type { PaidCallObserver, PaidOutcome } from './observe-sell.ts'

export interface ServiceHours extends PaidCallObserver {
  /** Counts the minute unless another replica has, and writes the counts; if that fails, the next flush retries. */
  flush(): Promise<void>
}

const MINUTE_MS = 60_000
const FAILED: ReadonlySet<PaidOutcome> = new Set(['in_doubt', 'unavailable', 'error'])

/** Counts paid calls by UTC hour, and the minutes in which any replica is up, for the public status. */
export function createServiceHours({
  ledger,
  owner,
  now,
}: {
  readonly ledger: Pick<LockStore, 'acquireLock'> & Pick<FigureStore, 'addServiceHour'>
  readonly owner: string
  readonly now: () => number
}): ServiceHours {
  const hours = new Map<string, Map<ServiceCount, number>>()
  let counted = Number.NaN
  const add = (name: ServiceCount) => {
    const hour = new Date(now()).toISOString().slice(0, 13)
    const counts = hours.get(hour) ?? new Map<ServiceCount, number>()
    hours.set(hour, counts.set(name, (counts.get(name) ?? 0) + 1))
  }
  const countMinute = async () => {
    const at = now()
    const minute = Math.floor(at / MINUTE_MS)
    if (minute === counted) return
    if (!(await ledger.acquireLock('service_minute', owner, at, (minute + 1) * MINUTE_MS))) return
    counted = minute
    add('minutes')
  }
  return {
    ended(outcome, ms) {
      if (FAILED.has(outcome)) return add('failed')
      add('answered')
      if (outcome === 'sold') add('sold')
      const bucket = bucketOf(ms)
      if (bucket !== null) add(bucket)
    },
    async flush() {
      try {
        await countMinute()
        for (const [hour, counts] of hours) {
          hours.delete(hour)
          await ledger.addServiceHour(hour, counts).catch((error) => {
            const since = hours.get(hour) ?? new Map<ServiceCount, number>()
            for (const [name, count] of counts) since.set(name, (since.get(name) ?? 0) + count)
            hours.set(hour, since)
            throw error
          })
        }
      } catch {
        // The next run writes it.
      }
    },
  }
}

function bucketOf(ms: number): ServiceCount | null {
  if (ms <= 250) return 'within_250_ms'
  if (ms <= 1_000) return 'within_1_s'
  return ms <= 5_000 ? 'within_5_s' : null
}
