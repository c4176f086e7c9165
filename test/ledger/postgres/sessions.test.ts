import { Pool } from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import { openPostgresLedger } from '../../../src/ledger/postgres/postgres-ledger.ts'
import { openPostgresLock } from '../../../src/ledger/postgres/postgres-lock.ts'
import { openPostgresReader } from '../../../src/ledger/postgres/postgres-reader.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'
import { newChannel, newDeposit } from '../../support/channel-rows.ts'
import { newTask } from '../../support/ledger-rows.ts'
import { newPayment } from '../../support/payment-rows.ts'

const URL_OF_NONE = 'postgres://app@127.0.0.1:1/none'

/** What is asked over which pool, in order. */
let asked: { readonly pool: Pool; readonly text: string }[]
let ended: Pool[]
/** Statements that the server refuses. */
let refused: RegExp | null

const ROWS: readonly (readonly [RegExp, object])[] = [
  [/current_setting\('default_transaction_isolation/, { isolation: 'read committed', commit: 'on' }],
  [/current_setting\('transaction_read_only/, { read_only: 'off' }],
  [/current_schema/, { found: null, present: 'public' }],
  [/clock_timestamp/, { ms: '1000' }],
]

beforeEach(() => {
  asked = []
  ended = []
  refused = null
  vi.spyOn(Pool.prototype, 'connect').mockImplementation(async function connect(this: Pool) {
    return {
      query: async (text: string) => {
        asked.push({ pool: this, text })
        if (refused?.test(text)) throw new Error('permission denied')
        const rows = ROWS.filter(([about]) => about.test(text)).map(([, row]) => row)
        return { rows, rowCount: rows.length }
      },
      release: () => {},
    }
  })
  vi.spyOn(Pool.prototype, 'end').mockImplementation(async function end(this: Pool) {
    ended.push(this)
  })
})
afterEach(() => void vi.restoreAllMocks())

/** The settings of a pool's sessions, and its bounds in milliseconds. */
function boundsOf({ options }: Pool) {
  const { connectionString = '', max, connectionTimeoutMillis, query_timeout } = options
  const settings = new URL(connectionString).searchParams.get('options') ?? ''
  return {
    max,
    connect: connectionTimeoutMillis,
    reply: query_timeout,
    ...Object.fromEntries(
      [...settings.matchAll(/-c (\w+)=((?:\\.|\S)+)/g)].map(([, name, value]) => [
        name,
        value?.replace('\\', ''),
      ]),
    ),
  }
}
const poolsAsked = () => [...new Set(asked.map(({ pool }) => pool))]

const SAFE = { default_transaction_isolation: 'read committed', synchronous_commit: 'on' }

test('a sale waits two seconds for a connection and three for a statement, other work a minute, and the client one more', async () => {
  const ledger = await openPostgresLedger({ url: URL_OF_NONE })
  await ledger.counts('2026-11-20', '2026-11-20')
  const [migration, sales, others] = poolsAsked()
  expect(ended).toEqual([migration])
  expect(boundsOf(migration!)).toEqual({
    ...{ max: 1, connect: 2_000, reply: 600_000, ...SAFE },
    ...{ statement_timeout: '600000', lock_timeout: '10000' },
  })
  expect(boundsOf(sales!)).toEqual({
    ...{ max: 10, connect: 2_000, reply: 4_000, ...SAFE },
    ...{ statement_timeout: '3000', idle_in_transaction_session_timeout: '3000' },
  })
  expect(boundsOf(others!)).toEqual({
    ...{ max: 2, connect: 2_000, reply: 61_000, ...SAFE, synchronous_commit: 'off' },
    ...{ statement_timeout: '60000', idle_in_transaction_session_timeout: '60000' },
  })
  await ledger.close()
  expect(ended).toEqual([migration, sales, others])
})

test.each([
  ['a look at what the sessions promise', /current_setting\('default_transaction_isolation/],
  ['the migration', /^create table payments/],
  ['the clock', /clock_timestamp/],
])('a ledger for which %s fails is not opened', async (_, text) => {
  refused = text
  await expect(openPostgresLedger({ url: URL_OF_NONE })).rejects.toBeInstanceOf(StoreUnavailable)
})

test('a reader writes nothing, and waits as long as other work', async () => {
  await openPostgresReader(URL_OF_NONE)
  expect(poolsAsked().map(boundsOf)).toEqual([
    {
      ...{ max: 1, connect: 5_000, reply: 60_000 },
      ...{ statement_timeout: '60000', default_transaction_read_only: 'on' },
    },
  ])
})

test('a lock is waited for by the server, and a little longer by the client', async () => {
  await openPostgresLock({ url: URL_OF_NONE, name: 'send', waitMs: 100, holdMs: 200 }).run(async () => {})
  expect(poolsAsked().map(boundsOf)).toEqual([
    {
      ...{ max: 1, connect: 100, reply: 1_100 },
      ...{ lock_timeout: '100', idle_in_transaction_session_timeout: '200' },
    },
  ])
})

test('idle connections are kept for a minute, and all are renewed within half an hour', async () => {
  await openPostgresReader(URL_OF_NONE)
  const [pool] = poolsAsked()
  expect(pool!.options).toMatchObject({
    ...{ idleTimeoutMillis: 60_000, maxLifetimeSeconds: 1_800, keepAlive: true },
    fallback_application_name: 'format-checker',
  })
})

const payment = newPayment()
const [day, lossLimit] = ['2026-11-20', { day: '2026-11-20', most: 1n }]
const deposit = { kind: 'deposit', payer: payment.payer } as const
const OTHER_WORK: Readonly<Record<string, (ledger: Ledger) => Promise<unknown>>> = {
  noteDelivered: (ledger) => ledger.noteDelivered(payment, 1, 9),
  settled: (ledger) => ledger.settled(0, 1, 1),
  addCounts: (ledger) =>
    ledger.addCounts([{ day, surface: 'rest', checkType: 'iban', outcome: 'sold', count: 1 }]),
  counts: (ledger) => ledger.counts(day, day),
  sales: (ledger) => ledger.sales(0, 1),
  backlog: (ledger) => ledger.backlog().catch(() => {}),
  attention: (ledger) => ledger.attention({ now: 1, undeliveredSince: 0, undeliveredBefore: 1, limit: 1 }),
  purge: (ledger) => ledger.purge(1, { deliveredMs: 1, undeliveredMs: 1 }),
}
const SALES: Readonly<Record<string, (ledger: Ledger) => Promise<unknown>>> = {
  find: (ledger) => ledger.find(payment),
  claim: (ledger) => ledger.claim(payment),
  'claim with a task': (ledger) => ledger.claim(payment, { kind: 'new', task: newTask() }),
  noteRepeat: (ledger) => ledger.noteRepeat(payment, true, 1),
  noteSent: (ledger) => ledger.noteSent([payment], '0x1'),
  hasSettled: (ledger) => ledger.hasSettled(payment),
  unanswered: (ledger) => ledger.unanswered(payment.payer, 'iban', 0, 1),
  findByIdentifier: (ledger) => ledger.findByIdentifier(Buffer.alloc(32)),
  unresolved: (ledger) => ledger.unresolved(1, 1),
  unaudited: (ledger) => ledger.unaudited(1, 1),
  saveTask: (ledger) => ledger.saveTask(newTask(), 1),
  findTask: (ledger) => ledger.findTask('1'),
  endTask: (ledger) => ledger.endTask('1', 'canceled', Buffer.alloc(1), 1),
  acquireLock: (ledger) => ledger.acquireLock('loop', 'a', 1, 2),
  releaseLock: (ledger) => ledger.releaseLock('loop', 'a'),
  findFact: (ledger) => ledger.findFact('network'),
  openChannel: (ledger) => ledger.openChannel(newChannel()),
  claimDeposit: (ledger) => ledger.claimDeposit(newDeposit()),
  unresolvedDeposits: (ledger) => ledger.unresolvedDeposits(1, 1),
  claimableChannels: (ledger) => ledger.claimableChannels(1),
  release: (ledger) => ledger.release('0x1', { spent: 0n, gas: 0n, shares: [] }),
  mayAct: (ledger) => ledger.mayAct(deposit, 1n, lossLimit).catch(() => {}),
  treasury: (ledger) => ledger.treasury(day, day),
  ready: (ledger) => ledger.ready(),
}

/** Whether each call commits without waiting for the disk, if it writes. */
async function isLax(call: (ledger: Ledger) => Promise<unknown>): Promise<readonly boolean[]> {
  const ledger = await openPostgresLedger({ url: URL_OF_NONE })
  asked = []
  await call(ledger)
  return poolsAsked().map(
    ({ options }) => options.connectionString?.includes('synchronous_commit%3Doff') ?? false,
  )
}

test.each(Object.entries(OTHER_WORK))('%s keeps no sale waiting for a connection', async (_, call) => {
  expect(await isLax(call)).toEqual([true])
})

test.each(
  Object.entries(SALES),
)('%s has the connections of sales, whose writes are on disk', async (_, call) => {
  expect(await isLax(call)).toEqual([false])
})
