/**
 * What a ledger that has grown costs: `node bench/growth.ts --rows 10000000 --store sqlite`, or `postgres`. Fills a new
 * store, or takes the SQLite store in `--data`, and measures each job's time and memory beside an empty store.
 *
 * Processor time of this process stands beside the time, since a busy machine changes that one alone.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import { Client } from 'pg'
import type { Ledger } from '../src/ledger/ledger.ts'
import type { PaymentRow } from '../src/ledger/payments/payment-row.ts'
import { openPostgresLedger } from '../src/ledger/postgres/postgres-ledger.ts'
import { openSqliteLedger } from '../src/ledger/sqlite/sqlite-ledger.ts'
import { REPLAY_WINDOWS } from '../src/payments/sale/purchase/replay-window.ts'
import { paginate } from '../src/values/paginate.ts'
import { newPayment } from '../test/support/payment-rows.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { median } from './median.ts'
import { FILLED_UNTIL, fillPostgres, fillSqlite } from './servers/filled-store.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    store: { type: 'string', default: 'sqlite' },
    data: { type: 'string' },
  },
})
const rows = Number(values.rows)
const DAY_MS = 24 * 3_600_000
const SALES = 500
/** Rows whose bindings one purge finds: what a busy hour leaves. */
const BOUND = Math.min(rows, 100_000)
const LOCKED_FROM = 50

interface Store {
  open(): Promise<Ledger>
  /** Runs statements on the side, as an operator or another version would. */
  run(sql: string): Promise<unknown>
  bytes(): Promise<number>
}

const folders: string[] = []
const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'format-checker-growth-'))
  folders.push(made)
  return made
}

function sqliteStore(dataDir: string): Store {
  const file = join(dataDir, 'ledger.sqlite')
  return {
    open: () => openSqliteLedger({ dataDir }),
    async run(sql) {
      const database = new Database(file)
      database.exec(sql)
      database.close()
    },
    bytes: async () => statSync(file).size,
  }
}

function postgresStore(url: string): Store {
  const once = async (sql: string) => {
    const client = new Client(url)
    await client.connect()
    return client.query(sql).finally(() => client.end())
  }
  return {
    open: () => openPostgresLedger({ url }),
    run: once,
    bytes: async () =>
      Number((await once("select pg_total_relation_size('payments') as bytes")).rows[0].bytes),
  }
}

/** The four statements of a sale; milliseconds. */
async function sale(ledger: Ledger): Promise<number> {
  const now = Date.now()
  const payer = `0x${randomBytes(2).toString('hex')}${'0'.repeat(36)}`
  const payment = newPayment({
    ...{ payer, nonce: `0x${randomBytes(32).toString('hex')}`, claimedAt: now, settlingAt: now },
    ...{ owner: 'growth', leaseUntil: now + 30_000 },
  })
  const begun = performance.now()
  const claimed = await ledger.claim(payment)
  if (claimed.kind !== 'claimed') throw new Error(claimed.kind)
  await ledger.unanswered(payer, payment.checkType, now - 2 * DAY_MS, now)
  const change = { state: 'settled', settledAt: now, owner: null, leaseUntil: 0 } as const
  const transaction = `0x${randomBytes(32).toString('hex')}`
  await ledger.moveUnflushed(claimed.row, { ...change, transaction })
  await ledger.noteDelivered(claimed.row, now, LOCKED_FROM)
  return performance.now() - begun
}

async function job(name: string, run: () => Promise<string | undefined>): Promise<void> {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  const cpu = process.cpuUsage()
  const begun = performance.now()
  let most = before
  let held = 0
  let last = begun
  const watch = setInterval(() => {
    const at = performance.now()
    held = Math.max(held, at - last)
    last = at
    most = Math.max(most, process.memoryUsage().rss)
  }, 5)
  const said = await run()
  clearInterval(watch)
  held = Math.max(held, performance.now() - last)
  most = Math.max(most, process.memoryUsage().rss)
  const { user, system } = process.cpuUsage(cpu)
  console.log(
    [
      name.padEnd(44),
      `${((performance.now() - begun) / 1_000).toFixed(2)} s`.padStart(10),
      `${((user + system) / 1e6).toFixed(2)} s of a core`.padStart(18),
      `+${Math.round((most - before) / 2 ** 20)} MB`.padStart(9),
      `held up ${Math.round(held)} ms`.padStart(17),
      said ?? '',
    ].join('  '),
  )
}

async function measure(grown: Store, empty: Store): Promise<void> {
  const bytes = await grown.bytes()
  console.log(`${values.store}, ${rows} sales, ${Math.round(bytes / rows)} bytes a sale with its indexes`)
  let ledger!: Ledger
  await job('start', async () => {
    ledger = await grown.open()
    return undefined
  })
  const beside = await empty.open()
  const times: Record<'grown' | 'empty', number[]> = { grown: [], empty: [] }
  for (let count = 0; count < SALES; count++) {
    times.empty.push(await sale(beside))
    times.grown.push(await sale(ledger))
  }
  const [p50, ofEmpty] = [median(times.grown), median(times.empty)]
  console.log(
    `statements of a sale, p50: ${p50.toFixed(3)} ms, ${(p50 / ofEmpty).toFixed(2)} of an empty store's`,
  )

  await job('recovery: a page of open payments', async () => {
    return `${(await ledger.unresolved(Date.now(), 100)).length} rows`
  })
  await job('audit: a page of unaudited payments', async () => {
    return `${(await ledger.unaudited(Date.now(), 100)).length} rows`
  })
  await job("operator's view: what needs a person", async () => {
    const now = Date.now()
    const { undelivered } = await ledger.attention({
      ...{ now, undeliveredSince: now - DAY_MS, undeliveredBefore: now, limit: 20 },
    })
    await ledger.backlog()
    return `${undelivered.length} rows`
  })
  await job("operator's view: one day's sales", async () => {
    const to = FILLED_UNTIL
    return `${(await ledger.sales(to - DAY_MS, to)).length} sums`
  })
  await job('CSV of 30 days', async () => {
    const to = FILLED_UNTIL
    let sent = 0
    for await (const _ of paginate<PaymentRow>((limit, after) =>
      ledger.settled(to - 30 * DAY_MS, to, limit, after),
    )) {
      sent += 1
      // The real answer waits for its client, too.
      if (sent % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    return `${sent} sales`
  })
  await ledger.close()
  await grown.run(
    `update payments set salt = '1', binding = '1', binding_key = 'binding-key/1'
     where nonce in (select nonce from payments where state = 'settled' and audit = 'found' order by settled_at desc limit ${BOUND})`,
  )
  ledger = await grown.open()
  await job(`purge of ${BOUND} bindings`, async () => {
    return `${(await ledger.purge(Date.now(), REPLAY_WINDOWS)).bindings} rows`
  })
  await job('purge of nothing', async () => {
    await ledger.purge(Date.now(), REPLAY_WINDOWS)
    return undefined
  })
  await Promise.all([ledger.close(), beside.close()])
  await job('migration: a column', () =>
    grown.run('alter table payments add column growth text').then(() => undefined),
  )
  await job('migration: an index', () =>
    grown.run('create index payments_growth on payments (settled_at, payer)').then(() => undefined),
  )
  await grown.run('drop index payments_growth')
  await grown.run('alter table payments drop column growth')
}

if (values.store === 'postgres') {
  const server = await startPostgres({
    settings: { fsync: 'on', shared_buffers: '1GB', max_wal_size: '4GB' },
  })
  try {
    const url = await server.freshDatabase()
    await job('fill', () => fillPostgres(url, rows).then(() => undefined))
    await measure(postgresStore(url), postgresStore(await server.freshDatabase()))
  } finally {
    await server.remove()
  }
} else {
  const dataDir = values.data ?? folder()
  try {
    if (values.data === undefined) await job('fill', () => fillSqlite(dataDir, rows).then(() => undefined))
    await measure(sqliteStore(dataDir), sqliteStore(folder()))
  } finally {
    for (const each of folders) rmSync(each, { recursive: true, force: true })
  }
}
