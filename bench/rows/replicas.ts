/** One process and two on one PostgreSQL, with a facilitator that takes 200 ms: what another replica adds. */
import { startPostgres } from '../../test/support/postgres.ts'
import type { Bench, RowPlan } from '../bench.ts'
import { startLoad, type Window } from '../load/load.ts'
import { termsOf } from '../load/recorded-answer.ts'
import { median } from '../median.ts'
import { postgresKeys } from '../servers/filled-store.ts'
import { type OurService, startOurs } from '../servers/our-service.ts'

const LONGEST_MS = 60_000
/** Calls each process has under way. */
const PER_PROCESS = 32

export const replicas: RowPlan = {
  id: 'replicas',
  async run(bench) {
    const server = await startPostgres({ settings: { fsync: 'on' } }).catch(() => undefined)
    if (server === undefined) return []
    const secondLoad = startLoad()
    const services: OurService[] = []
    try {
      const env = { ...postgresKeys(), DATABASE_URL: await server.freshDatabase() }
      for (let index = 0; index < 2; index++) {
        services.push(await startOurs(bench.world, { facilitator: 'slow', env }))
      }
      const [first, second] = services as [OurService, OurService]
      const rates: { one: number[]; two: number[] } = { one: [], two: [] }
      for (let round = -1; round < bench.effort.rounds; round++) {
        const alone = await drive(bench, bench.load, first)
        const both = await Promise.all([drive(bench, bench.load, first), drive(bench, secondLoad, second)])
        if (round < 0) continue
        rates.one.push(alone.rate)
        rates.two.push(both.reduce((sum, { rate }) => sum + rate, 0))
      }
      const ratios = rates.two.map((two, round) => two / rates.one[round]!)
      return [
        {
          id: 'replicas',
          work: `paid calls on PostgreSQL, facilitator takes 200 ms, ${PER_PROCESS} calls under way per process`,
          figures: [
            { name: 'one process', rate: median(rates.one) },
            { name: 'two processes', rate: median(rates.two) },
          ],
          claims: [{ what: 'two processes against one', value: median(ratios), target: 1.8 }],
        },
      ]
    } finally {
      await Promise.all([...services.map((service) => service.stop()), secondLoad.stop()])
      await server.remove()
    }
  },
}

async function drive(
  { effort }: Bench,
  load: Pick<Bench['load'], 'drive'>,
  { pid, port }: OurService,
): Promise<Window> {
  const required = await termsOf(port)
  const count = Math.max(PER_PROCESS, Math.ceil(effort.payments / 10))
  const source = { kind: 'paid' as const, surface: 'rest' as const, count, required, payers: 64 }
  return load.drive(pid, { port, connections: PER_PROCESS, milliseconds: LONGEST_MS, expected: 200, source })
}
