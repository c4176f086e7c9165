/** The last 90 days for the status page: daily counts from the store, and the operator's own lines on incidents. */
import { readFile } from 'node:fs/promises'
import { memoize } from '../../../caches/memoize.ts'
import type { FigureStore } from '../../../ledger/figures/figure-store.ts'
import type { ServiceDay, ServiceHistory } from '../../../ledger/figures/service-history.ts'
import { daysUpTo } from '../../../ledger/store/utc-days.ts'

export interface History {
  /** Oldest first; null for a day before the first count, and for all days if the store does not answer. */
  readonly days: readonly { readonly day: string; readonly counts: ServiceDay | null }[]
  /** The UTC hour of the newest sale in these days, YYYY-MM-DDTHH. */
  readonly lastSaleHour: string | null
  /** The lines of the operator's file. */
  readonly incidents: readonly string[]
}

const DAYS = 90
const LIFE_MS = 60_000
const MOST_INCIDENTS = 50

/** Reads the store and the file at most once a minute. Never rejects: what cannot be read is left out. */
export function historyReader({
  ledger,
  now,
  incidentsFile,
}: {
  readonly ledger: Pick<FigureStore, 'serviceHistory'>
  readonly now: () => number
  readonly incidentsFile: string | null
}): () => Promise<History> {
  return memoize(
    async () => {
      const days = daysUpTo(now(), DAYS)
      const [{ days: counts, lastSaleHour }, incidents] = await Promise.all([
        ledger
          .serviceHistory(days[0] ?? '')
          .catch((): ServiceHistory => ({ days: new Map(), lastSaleHour: null })),
        incidentsFile === null ? [] : readIncidents(incidentsFile),
      ])
      const [first = '9999'] = counts.keys()
      return {
        days: days.map((day) => ({ day, counts: day < first ? null : (counts.get(day) ?? {}) })),
        lastSaleHour,
        incidents,
      }
    },
    LIFE_MS,
    now,
  )
}

async function readIncidents(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').slice(0, MOST_INCIDENTS)
}
