/** The last 90 days for the status page: daily counts from the store, and the operator's own lines on incidents. */
import { createReadStream } from 'node:fs'
import { memoize } from '../../../caches/memoize.ts'
import type { FigureStore } from '../../../ledger/figures/figure-store.ts'
import type { ServiceDay, ServiceHistory } from '../../../ledger/figures/service-history.ts'
import { daysUpTo } from '../../../ledger/store/utc-days.ts'
import { Budget } from '../../../lists/budget.ts'

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
/** The rest of a larger file is not read. */
const MOST_BYTES = 65_536

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
        incidentsFile === null ? [] : readIncidents(incidentsFile).catch(() => []),
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
  const budget = new Budget({ what: 'file of incidents' })
  let text = ''
  for await (const chunk of createReadStream(file, { encoding: 'utf8', end: MOST_BYTES - 1 })) text += chunk
  const lines = text.split('\n').map((line) => budget.cell(line.trim()))
  return lines.filter((line) => line !== '').slice(0, MOST_INCIDENTS)
}
