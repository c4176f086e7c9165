/** A paid call over REST, settled by a facilitator over HTTP that answers at once, or after 200 ms; and on a slow disk. */
import { spawnSync } from 'node:child_process'
import type { PaymentRequired } from '@x402/core/types'
import type { Bench, RowPlan } from '../bench.ts'
import { type Contender, compare, type Series } from '../compare.ts'
import { termsOf } from '../load/recorded-answer.ts'
import { keepBusy } from '../processes.ts'
import { costClaim, figuresOf, latencyClaim, rateClaim, spreadClaim } from '../report/figures.ts'
import { PAY_TO, type Server, startOurs, startServer } from '../servers/our-service.ts'

const STOCK = 'stock x402 on Express'
/** The same guarantee: stock with a claim and a record on disk for each sale. */
const DURABLE = 'stock + durable claim'
/** The least such a sale can be. */
export const LIMIT = 'signature, one flush, one facilitator call'
const PAYERS = 64
/** No window of payments takes longer. */
const LONGEST_MS = 60_000

export const paid: RowPlan = {
  id: 'paid',
  run: (bench) =>
    sideBySide(bench, 'fast', async (race) => {
      const { payments } = bench.effort
      // First: the audit of the busy ones would work beside it.
      const alone = await race(1, Math.ceil(payments / 4))
      const end = keepBusy()
      const beside = await race(1, Math.ceil(payments / 20)).finally(end)
      const busy = await race(32, payments)
      return [
        {
          id: 'paid-fast',
          work: 'paid call, facilitator answers at once, concurrency 32',
          figures: figuresOf(busy),
          claims: [
            ...rateClaim(busy, DURABLE, 2),
            ...rateClaim(busy, LIMIT, 0.45),
            costClaim(busy, LIMIT, 2.2),
            ...rateClaim(busy, STOCK),
            spreadClaim(busy, 3),
          ],
        },
        {
          id: 'paid-fast-alone',
          work: 'paid call, facilitator answers at once, concurrency 1',
          figures: figuresOf(alone),
          claims: [
            latencyClaim(alone, DURABLE, 'p50', 0.75),
            latencyClaim(alone, STOCK, 'p50', 1.3),
            ...rateClaim(alone, LIMIT),
            spreadClaim(alone, 3),
          ],
        },
        {
          id: 'paid-fast-beside',
          work: 'paid call, facilitator answers at once, concurrency 1, beside two busy processes',
          figures: figuresOf(beside),
          claims: [latencyClaim(beside, DURABLE, 'p50', 1)],
        },
      ]
    }),
}

export const paidSlow: RowPlan = {
  id: 'paid-slow',
  run: (bench) =>
    sideBySide(bench, 'slow', async (race) => {
      const series = await race(8, Math.ceil(bench.effort.payments / 40))
      return [
        {
          id: 'paid-slow',
          work: 'paid call, facilitator takes 200 ms per call, concurrency 8',
          figures: figuresOf(series),
          claims: [latencyClaim(series, STOCK, 'p50', 0.52)],
        },
      ]
    }),
}

/** A common network disk, or a hard disk that keeps its word. */
const FLUSH_MS = 8

export const paidDisk: RowPlan = {
  id: 'paid-disk',
  async run(bench) {
    if (spawnSync('strace', ['-V']).status !== 0) return []
    const flushMs = FLUSH_MS
    const field = [
      ['ours', await startOurs(bench.world, { flushMs })],
      [DURABLE, await startServer('stock-durable.ts', stockEnv(bench, 'fast'), { flushMs })],
    ] as const
    return raced(bench, field, async (race) => {
      const series = await race(32, Math.ceil(bench.effort.payments / 4))
      return [
        {
          id: 'paid-disk',
          work: `paid call, a disk of ${FLUSH_MS} ms a flush, concurrency 32`,
          figures: figuresOf(series),
          claims: rateClaim(series, DURABLE),
        },
      ]
    })
  },
}

type Race = (connections: number, payments: number) => Promise<Series>

const stockEnv = ({ world }: Bench, facilitator: 'fast' | 'slow') => ({
  FACILITATOR_URL: `http://127.0.0.1:${world.port}/${facilitator}`,
  PAY_TO,
})

async function sideBySide<T>(bench: Bench, facilitator: 'fast' | 'slow', run: (race: Race) => Promise<T>) {
  const env = stockEnv(bench, facilitator)
  const field = [
    ['ours', await startOurs(bench.world, { facilitator })],
    [DURABLE, await startServer('stock-durable.ts', env)],
    [STOCK, await startServer('stock.ts', env)],
    [LIMIT, await startServer('limit.ts', env)],
  ] as const
  return raced(bench, field, run)
}

/** Runs races between servers, and stops them. The limit has no terms of its own: it takes those of the one before it. */
async function raced<T>(
  { load, effort }: Bench,
  field: readonly (readonly [name: string, server: Server])[],
  run: (race: Race) => Promise<T>,
): Promise<T> {
  const terms = new Map<Server, PaymentRequired>()
  for (const [name, server] of field)
    terms.set(server, name === LIMIT ? [...terms.values()].at(-1)! : await termsOf(server.port))
  const contenders = (connections: number, count: number) =>
    field.map(([name, server]): Contender => {
      const source = {
        kind: 'paid',
        surface: 'rest',
        count,
        required: terms.get(server)!,
        payers: PAYERS,
      } as const
      const job = { port: server.port, connections, milliseconds: LONGEST_MS, expected: 200, source }
      return { name, pid: server.pid, job }
    })
  try {
    return await run((connections, count) => compare(load, contenders(connections, count), effort.rounds))
  } finally {
    await Promise.all(field.map(([, server]) => server.stop()))
  }
}
