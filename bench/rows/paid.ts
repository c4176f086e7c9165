/** A paid call over REST, settled by a facilitator over HTTP that answers at once, or after 200 ms. */
import type { Bench, RowPlan } from '../bench.ts'
import { type Contender, compare, type Series } from '../compare.ts'
import { termsOf } from '../load/recorded-answer.ts'
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
      const busy = await race(32, payments)
      const alone = await race(1, Math.ceil(payments / 4))
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

type Race = (connections: number, payments: number) => Promise<Series>

async function sideBySide<T>(
  { load, world, effort }: Bench,
  facilitator: 'fast' | 'slow',
  run: (race: Race) => Promise<T>,
): Promise<T> {
  const ours = await startOurs(world, { facilitator })
  const env = { FACILITATOR_URL: `http://127.0.0.1:${world.port}/${facilitator}`, PAY_TO }
  const [stock, durable, limit] = [
    await startServer('stock.ts', env),
    await startServer('stock-durable.ts', env),
    await startServer('limit.ts', env),
  ]
  const terms = { ours: await termsOf(ours.port), stock: await termsOf(stock.port) }
  const contender = (
    name: string,
    server: Server,
    required: typeof terms.ours,
    [connections, count]: readonly [number, number],
  ): Contender => ({
    name,
    pid: server.pid,
    job: {
      port: server.port,
      connections,
      milliseconds: LONGEST_MS,
      expected: 200,
      source: { kind: 'paid', surface: 'rest', count, required, payers: PAYERS },
    },
  })
  try {
    return await run((connections, count) => {
      const shape = [connections, count] as const
      return compare(
        load,
        [
          contender('ours', ours, terms.ours, shape),
          contender(DURABLE, durable, terms.stock, shape),
          contender(STOCK, stock, terms.stock, shape),
          contender(LIMIT, limit, terms.stock, shape),
        ],
        effort.rounds,
      )
    })
  } finally {
    await Promise.all([ours, stock, durable, limit].map((server) => server.stop()))
  }
}
