/** Sales on their way through the parts of a plan, by measured service times. */
import { SeededRandom } from '../../test/support/seeded-random.ts'
import { arrivals, blocks, flush, pass, type Queue, serve, sideBySide } from './queues.ts'

/** Microseconds of a core, and milliseconds of a flush, as the benchmark has measured them. */
export interface ServiceTimes {
  /** Our process, for a single payment and for a call over a channel. */
  readonly sale: number
  readonly channelCall: number
  /** All processes of PostgreSQL, for a sale. */
  readonly database: number
  readonly flush: number
}

export interface Plan {
  readonly processes: number
  readonly databases: number
  readonly paysBy: 'payment' | 'channel'
}

/** Base: a block each two seconds, with so much gas at most (docs.base.org, block building). */
const BLOCK_MS = 2_000
const BLOCK_GAS = 140_000_000
/** Gas of a sale: in a batch of 64 (`docs/operations.md`), and of a call over a channel (`docs/channels.md`). */
export const GAS = { payment: 43_654, channel: 541 } as const
const FACILITATOR_MS = 200
/** Calls that one process has under way at a facilitator (`http-facilitator.ts`). */
const FACILITATOR_CONNECTIONS = 256
export const DATABASE_CORES = 4
/** Sales simulated at each rate, after as many that only fill the queues. */
const SALES = 20_000

export interface Part {
  readonly name: string
  /** Share of its time that is used; from 1 on it falls behind. */
  readonly load: number
  /** Milliseconds in the part that one sale in a hundred exceeds; null if some part falls behind. */
  readonly p99: number | null
}

/** Each part with its load, and how long sales are in it, at so many a second. */
export function simulate(rate: number, plan: Plan, times: ServiceTimes): readonly Part[] {
  const random = new SeededRandom(rate)
  const { processes, databases, paysBy } = plan
  const work = (paysBy === 'channel' ? times.channelCall : times.sale) / 1_000
  const store = times.database / 1_000
  const perBlock = Math.floor(BLOCK_GAS / GAS[paysBy])
  const each = (count: number, queue: Queue) => sideBySide(random, count, queue)
  const parts: readonly (readonly [name: string, load: number, queue: Queue])[] = [
    ['processes', (rate * work) / 1_000 / processes, each(processes, serve(1, work))],
    [
      'database',
      (rate * store) / 1_000 / DATABASE_CORES / databases,
      each(databases, serve(DATABASE_CORES, store)),
    ],
    // A flush takes all that wait, so that no rate is too much for it: its load is the share of time it runs.
    ['flushes', 1 - Math.exp((-rate * times.flush) / 1_000 / databases), each(databases, flush(times.flush))],
    ...(paysBy === 'channel'
      ? []
      : ([
          [
            'facilitator',
            (rate * FACILITATOR_MS) / 1_000 / FACILITATOR_CONNECTIONS / processes,
            each(processes, serve(FACILITATOR_CONNECTIONS, FACILITATOR_MS)),
          ],
        ] as const)),
    ['chain', (rate * BLOCK_MS) / 1_000 / perBlock, blocks(BLOCK_MS, perBlock)],
  ]
  const isTooMuch = parts.some(([, load]) => load >= 1)
  let moments = arrivals(random, rate, 2 * SALES)
  return parts.map(([name, load, queue]) => {
    if (isTooMuch) return { name, load, p99: null }
    const { left, taken } = pass(moments, queue)
    moments = left
    const sorted = taken.slice(SALES).toSorted((a, b) => a - b)
    return { name, load, p99: sorted[Math.floor(sorted.length * 0.99)]! }
  })
}
