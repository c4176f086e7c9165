import { type Held, heapWatch } from '../fuzz/heap-watch.ts'
import { startTarget } from '../fuzz/target.ts'
import { unhandledWatch } from '../fuzz/unhandled-watch.ts'
import { keepBuying } from './buyer.ts'
import { keepFlooding } from './flood.ts'
import { createSaleLog } from './sale-log.ts'

export interface SoakOptions {
  readonly seconds: number
  readonly buyers?: number
  readonly floods?: number
  readonly onLook?: (line: string) => void
}

export interface SoakReport {
  readonly seconds: number
  readonly sales: number
  readonly flood: Readonly<Record<string, number>>
  readonly held: readonly Held[]
  readonly latencies: readonly { readonly p50: number; readonly p99: number; readonly sales: number }[]
  /** Payments made and rows that say so, after the end. */
  readonly charged: number
  readonly settled: number
  readonly lostAtShutdown: number
  readonly faults: readonly string[]
}

const BUYERS = 6
const FLOODS = 4
const BUYER_PAUSE_MS = 400
const FLOOD_PAUSE_MS = 10
const LOOKS = 24

/** Sales and floods together for a time, then a shutdown in the middle of both; the caller judges the report. */
export async function runSoak({
  seconds,
  buyers = BUYERS,
  floods = FLOODS,
  onLook = () => {},
}: SoakOptions): Promise<SoakReport> {
  const log = createSaleLog()
  const unhandled = unhandledWatch(log.wrong)
  const target = await startTarget((line) => /"level":(50|60)/.test(line) && log.wrong(`logged: ${line}`), {
    LOG_LEVEL: 'warn',
  })
  const before = await target.books()
  const lookAtHeap = heapWatch()
  const held: Held[] = []
  const latencies: SoakReport['latencies'][number][] = []
  let over = false
  const isOver = () => over
  const buying = Array.from({ length: buyers }, () =>
    keepBuying(target, log, { pauseMs: BUYER_PAUSE_MS, isOver }),
  )
  const flooding = Array.from({ length: floods }, (_, seed) =>
    keepFlooding(target, { seed, pauseMs: FLOOD_PAUSE_MS, isOver }),
  )
  try {
    for (let look = 1; look <= LOOKS; look++) {
      await new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / LOOKS))
      held.push(lookAtHeap())
      latencies.push(log.takeLatency())
      onLook(
        `${look} of ${LOOKS}: ${JSON.stringify({ ...held.at(-1), ...latencies.at(-1), ...target.rows() })}`,
      )
    }
  } finally {
    log.shuttingDown()
  }
  const ended = target.stop()
  await ended
  over = true
  const [counts, books] = await Promise.all([Promise.all(flooding), ended, Promise.all(buying)])
  unhandled.stop()
  for (const transaction of log.transactions)
    if (!books.settled.has(transaction)) log.wrong('a verdict for a payment that is in no row')
  return {
    seconds,
    sales: log.transactions.size,
    flood: summed(counts),
    held,
    latencies,
    charged: books.charged - before.charged,
    settled: books.settled.size - before.settled.size,
    lostAtShutdown: log.lostAtShutdown,
    faults: log.faults,
  }
}

function summed(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const each of counts)
    for (const [name, count] of Object.entries(each)) sums[name] = (sums[name] ?? 0) + count
  return sums
}
