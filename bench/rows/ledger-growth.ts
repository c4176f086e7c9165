/** A sale over a ledger that has grown, on both stores. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../test/support/postgres.ts'
import type { Bench, RowPlan } from '../bench.ts'
import { type Contender, compare, middle } from '../compare.ts'
import { termsOf } from '../load/recorded-answer.ts'
import { figuresOf } from '../report/figures.ts'
import type { Row } from '../report/row.ts'
import { fillPostgres, fillSqlite, postgresKeys } from '../servers/filled-store.ts'
import { type OurService, startOurs } from '../servers/our-service.ts'

const LONGEST_MS = 60_000
/** Settings of a server that keeps what it has confirmed. */
const DURABLE = { fsync: 'on', shared_buffers: '128MB' }

export const ledgerGrowth: RowPlan = {
  id: 'ledger',
  async run(bench) {
    const most = bench.effort.payments * 250
    const sizes = [0, most / 10, most]
    return [await sqliteRow(bench, sizes), ...(await postgresRow(bench, sizes))]
  },
}

async function sqliteRow(bench: Bench, sizes: readonly number[]): Promise<Row> {
  const folders = sizes.map(() => mkdtempSync(join(tmpdir(), 'format-checker-bench-')))
  try {
    const services: OurService[] = []
    for (const [index, rows] of sizes.entries()) {
      const dataDir = folders[index]!
      await fillSqlite(dataDir, rows)
      services.push(await startOurs(bench.world, { dataDir }))
    }
    return await measure(bench, 'SQLite', sizes, services)
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

async function postgresRow(bench: Bench, sizes: readonly number[]): Promise<readonly Row[]> {
  const server = await startPostgres({ settings: DURABLE }).catch(() => undefined)
  if (server === undefined) return []
  try {
    const services: OurService[] = []
    for (const rows of sizes) {
      const url = await server.freshDatabase()
      await fillPostgres(url, rows)
      services.push(await startOurs(bench.world, { env: { ...postgresKeys(), DATABASE_URL: url } }))
    }
    return [await measure(bench, 'PostgreSQL', sizes, services)]
  } finally {
    await server.remove()
  }
}

async function measure(
  { load, effort }: Bench,
  store: string,
  sizes: readonly number[],
  services: readonly OurService[],
): Promise<Row> {
  try {
    const names = sizes.map((rows) => `${rows} rows`)
    const contenders: Contender[] = []
    for (const [index, service] of services.entries()) {
      const required = await termsOf(service.port)
      const count = Math.ceil(effort.payments / 8)
      contenders.push({
        name: names[index]!,
        pid: service.pid,
        job: {
          port: service.port,
          connections: 1,
          milliseconds: LONGEST_MS,
          expected: 200,
          source: { kind: 'paid', surface: 'rest', count, required, payers: 64 },
        },
      })
    }
    const series = await compare(load, contenders, effort.rounds)
    const empty = middle(series[names[0]!]!, 'p50')
    return {
      id: `ledger-${store.toLowerCase()}`,
      work: `sale at concurrency 1 over a grown ledger, ${store}`,
      figures: figuresOf(series),
      claims: names.slice(1).map((name) => ({
        what: `p50 with ${name} against none`,
        value: middle(series[name]!, 'p50') / empty,
        target: 1.2,
        side: 'at most' as const,
      })),
    }
  } finally {
    await Promise.all(services.map((service) => service.stop()))
  }
}
