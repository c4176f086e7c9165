/**
 * Loaded into a service before its own code (`node --import`): lets a write of the store fail, or the process die at
 * it, where the nonce of the sale or a fault planned for a channel asks for it. The drivers are wrapped from outside; the
 * service knows nothing of it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import pg from 'pg'
import { faultOf, type StoreAct, type StoreStep } from '../bench/fault-nonce.ts'
import { channelActAt } from './channel-faults.ts'

const SLOW_MS = 1_000
/** What a server would report: SQLSTATE 25006 and 53100. */
const SQLSTATE = { 'read-only': '25006', full: '53100' } as const
const SQLITE_CODE = {
  down: 'SQLITE_IOERR_WRITE',
  'read-only': 'SQLITE_READONLY',
  full: 'SQLITE_FULL',
} as const

/** A process that takes over must not die of the same fault: only one with this setting may. */
const mayDie = process.env.MAY_DIE === 'yes'
/** What was wrong with the store is over for who starts now. */
const isRepaired = process.env.STORE_FAULTS === 'off'
const met = new Map<string, number>()

/** The write a statement makes; undefined for all others. */
function stepOf(sql: string, values: readonly unknown[]): StoreStep | undefined {
  if (/^\s*insert into "?payments"?\s/.test(sql)) return 'claim'
  if (!/^\s*update "?payments"?\s/.test(sql)) return undefined
  return values.includes('settled') ? 'settled' : undefined
}

/** What happens to this statement; null for an ordinary one. Each fault counts once. */
function actAt(sql: string, values: readonly unknown[]): StoreAct | null {
  if (isRepaired) return null
  for (const value of values) {
    const fault = faultOf(value)
    if (fault === null || fault.step !== stepOf(sql, values)) continue
    if (fault.act.startsWith('kill') && !mayDie) return null
    const times = (met.get(value as string) ?? 0) + 1
    met.set(value as string, times)
    return times > fault.times ? null : fault.act
  }
  return channelActAt(sql, values)
}

const die = (): never => {
  process.kill(process.pid, 'SIGKILL')
  // The signal is on its way; nothing more may happen here.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
}

wrapSqlite()
wrapPostgres()

function wrapSqlite(): void {
  let dieAtCommit = false
  const prepare = Database.prototype.prepare
  Database.prototype.prepare = function (this: Database.Database, sql: string) {
    const statement = prepare.call(this, sql)
    for (const method of ['all', 'run'] as const) {
      const real = statement[method].bind(statement) as (...values: unknown[]) => unknown
      const wrapped = (...values: unknown[]) => {
        if (sql === 'commit' && dieAtCommit) {
          real(...values)
          die()
        }
        const act = actAt(sql, values.flat())
        if (act === null) return real(...values)
        if (act === 'kill-before') return die()
        if (act === 'kill-after') dieAtCommit = true
        else if (act === 'slow') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLOW_MS)
        else if (act !== 'unheard') throw new Database.SqliteError('planned to fail', SQLITE_CODE[act])
        return real(...values)
      }
      Object.defineProperty(statement, method, { value: wrapped })
    }
    return statement
  } as typeof prepare
}

function wrapPostgres(): void {
  type Query = (this: unknown, sql: unknown, values?: unknown) => Promise<unknown>
  const prototype = pg.Client.prototype as unknown as { query: Query }
  const real = prototype.query
  const dieAtCommit = new WeakSet<object>()
  const inTransaction = new WeakSet<object>()
  prototype.query = function (this: object, sql, values, ...rest: []) {
    const run = () => real.call(this, sql, values, ...rest)
    if (typeof sql !== 'string' || !Array.isArray(values)) return run()
    if (sql.startsWith('begin') || sql.startsWith('start transaction')) inTransaction.add(this)
    if (sql === 'commit' && dieAtCommit.has(this)) return run().then(die)
    if (sql === 'commit' || sql === 'rollback') inTransaction.delete(this)
    const act = actAt(sql, values)
    if (act === null) return run()
    switch (act) {
      case 'kill-before':
        return die()
      case 'kill-after':
        if (!inTransaction.has(this)) return run().then(die)
        dieAtCommit.add(this)
        return run()
      case 'slow':
        return sleep(SLOW_MS).then(run)
      case 'down':
        return Promise.reject(new Error('Connection terminated unexpectedly'))
      case 'unheard':
        return run().then(() => Promise.reject(new Error('Connection terminated unexpectedly')))
      case 'read-only':
      case 'full': {
        const refusal = new pg.DatabaseError('planned to fail', 0, 'error')
        return Promise.reject(Object.assign(refusal, { code: SQLSTATE[act] }))
      }
    }
  } as Query
}
