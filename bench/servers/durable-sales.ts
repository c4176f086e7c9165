/** Durable claims and records of sales, as a careful user of the stock middleware would keep them beside it. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'

export interface Sale {
  readonly state: 'claimed' | 'settled'
  readonly request: string
  readonly answer: string
  readonly settlement: string | null
}

export interface DurableSales {
  find(key: SaleKey): Sale | undefined
  /** Writes the claim to disk; false when the authorization has a row already. */
  claim(key: SaleKey, request: string, answer: string): boolean
  /** Writes the settlement to disk. */
  settle(key: SaleKey, settlement: string): void
}

export interface SaleKey {
  readonly payer: string
  readonly nonce: string
}

/** What a request asks for, so that a payment is not used for another call. */
export const requestHash = (body: unknown): string =>
  createHash('sha256').update(JSON.stringify(body)).digest('hex')

/** One SQLite file; every write is on disk when it returns. */
export function openDurableSales(): DurableSales {
  const folder = mkdtempSync(join(tmpdir(), 'format-checker-bench-sales-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const database = new Database(join(folder, 'sales.sqlite'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(`create table sales (
    payer text not null, nonce text not null, state text not null, request text not null, answer text not null,
    settlement text, claimed_at integer not null, settled_at integer, primary key (payer, nonce)
  ) without rowid`)
  const find = database.prepare<[string, string], Sale>(
    'select state, request, answer, settlement from sales where payer = ? and nonce = ?',
  )
  const claim = database.prepare(
    `insert into sales (payer, nonce, state, request, answer, claimed_at) values (?, ?, 'claimed', ?, ?, ?)
    on conflict do nothing`,
  )
  const settle = database.prepare(
    `update sales set state = 'settled', settlement = ?, settled_at = ? where payer = ? and nonce = ?`,
  )
  return {
    find: ({ payer, nonce }) => find.get(payer, nonce),
    claim: ({ payer, nonce }, request, answer) =>
      claim.run(payer, nonce, request, answer, Date.now()).changes === 1,
    settle: ({ payer, nonce }, settlement) => void settle.run(settlement, Date.now(), payer, nonce),
  }
}
