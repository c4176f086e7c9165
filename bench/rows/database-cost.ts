/** What a sale costs PostgreSQL: processor time, log and flushes. The plan beyond one machine is computed from it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { type PostgresServer, startPostgres } from '../../test/support/postgres.ts'
import type { Bench, RowPlan } from '../bench.ts'
import { termsOf } from '../load/recorded-answer.ts'
import { processorTime } from '../load/stopwatch.ts'
import { median } from '../median.ts'
import { postgresKeys } from '../servers/filled-store.ts'
import { startOurs } from '../servers/our-service.ts'

const LONGEST_MS = 60_000
const CONNECTIONS = 32

interface Log {
  readonly bytes: number
  readonly flushes: number
  /** Milliseconds. */
  readonly flushing: number
}

export const databaseCost: RowPlan = {
  id: 'database',
  async run({ world, load, effort }: Bench) {
    const server = await startPostgres({ settings: { fsync: 'on', track_wal_io_timing: 'on' } }).catch(
      () => undefined,
    )
    if (server === undefined) return []
    const url = await server.freshDatabase()
    const watcher = new Client(url)
    await watcher.connect()
    const ours = await startOurs(world, { env: { ...postgresKeys(), DATABASE_URL: url } })
    try {
      const required = await termsOf(ours.port)
      const source = {
        kind: 'paid' as const,
        surface: 'rest' as const,
        count: Math.max(CONNECTIONS, effort.payments / 2),
        required,
        payers: 64,
      }
      const windows: Record<'ours' | 'server' | 'bytes' | 'flushes' | 'flush', number>[] = []
      for (let round = -1; round < effort.rounds; round++) {
        const [before, log] = [serverTime(server), await logOf(watcher)]
        const { cpu, answered } = await load.drive(ours.pid, {
          ...{ port: ours.port, connections: CONNECTIONS, milliseconds: LONGEST_MS, expected: 200, source },
        })
        const now = await logOf(watcher)
        if (round < 0) continue
        windows.push({
          ours: cpu,
          server: (serverTime(server) - before) / answered,
          bytes: (now.bytes - log.bytes) / answered,
          flushes: (now.flushes - log.flushes) / answered,
          flush: (now.flushing - log.flushing) / Math.max(1, now.flushes - log.flushes),
        })
      }
      const middle = (figure: keyof (typeof windows)[number]) => median(windows.map((each) => each[figure]))
      return [
        {
          id: 'database',
          work: `a sale's share of PostgreSQL, ${CONNECTIONS} at a time`,
          figures: [
            { name: 'our process', cpu: middle('ours') },
            { name: 'PostgreSQL, all its processes', cpu: middle('server') },
            { name: 'log of a sale', other: `${Math.round(middle('bytes'))} bytes` },
            { name: 'flushes a sale', other: middle('flushes').toFixed(2) },
            { name: 'a flush', other: `${middle('flush').toFixed(2)} ms` },
          ],
          claims: [],
        },
      ]
    } finally {
      await Promise.all([ours.stop(), watcher.end()])
      await server.remove()
    }
  },
}

/** Microseconds of processor time of a server with all its processes. */
function serverTime({ directory }: PostgresServer): number {
  const [line = ''] = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')
  const first = Number(line)
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === first)
  return [first, ...children.map(Number)].reduce((sum, pid) => sum + processorTime(pid), 0)
}

function parentOf(pid: string): number | undefined {
  try {
    const [, parent] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(parent)
  } catch {
    return undefined
  }
}

async function logOf(watcher: Client): Promise<Log> {
  // A session hands its counts over when it is idle, at the latest after a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const { rows } = await watcher.query<Record<'bytes' | 'flushes' | 'flushing', string>>(
    'select wal_bytes as bytes, wal_sync as flushes, wal_sync_time as flushing from pg_stat_wal',
  )
  const [row] = rows
  return { bytes: Number(row?.bytes), flushes: Number(row?.flushes), flushing: Number(row?.flushing) }
}
