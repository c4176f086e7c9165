import type { Sql } from './sql.ts'

declare const AFTER: unique symbol
/** A promise of a store, typed by what its resolution guarantees. */
export type After<What, T> = Promise<T> & { readonly [AFTER]?: What }
/** Resolves once others see the write; a crash of the store's machine may lose it, and then every later one too. */
export type Committed<T> = After<'commit', T>
/** Resolves once the write is on disk, and all before it. */
export type Flushed<T> = After<'flush', T>

export type Run = <T>(work: (db: Sql) => Promise<T>) => Promise<T>

export type Bind<What> = <Args extends readonly unknown[], T>(
  statement: (db: Sql, ...args: Args) => Promise<T>,
) => (...args: Args) => After<What, T>

export const bind =
  <What>(run: Run): Bind<What> =>
  (statement) =>
  (...args) =>
    run((db) => statement(db, ...args))

/** What a database does for the ports over it: a method waits for what the member that makes it waits for. */
export interface Store {
  readonly clock: LedgerClock
  readonly read: Bind<'read'>
  /** Reads many rows without holding up sales. */
  readonly survey: Bind<'read'>
  readonly flush: Bind<'flush'>
  readonly transact: Bind<'flush'>
  readonly commit: Bind<'commit'>
  /** Writes that no sale waits for; PostgreSQL has a separate connection for them. */
  readonly aside: Bind<'commit'>
  readonly notes: DeliveryNotes
  /** True if a read costs less than a transaction that is rolled back. */
  readonly readsFirst: boolean
}

export interface DeliveryNotes {
  write(payer: string, run: (db: Sql) => Promise<void>): Committed<void>
  /** Waits until the payer's notes are committed; to be called before reading what the payer has not received. */
  settle(payer: string): Promise<void>
}

export interface StoreLoad {
  /** Calls that wait for a connection, or for the commit that carries them. */
  waiting(): number
  /** Null for a store without a pool. */
  connections(): { readonly open: number; readonly used: number } | null
}

/** The clock for leases, purges and windows, shared by every process that uses the ledger. */
export interface LedgerClock {
  /** UTC milliseconds. */
  now(): number
}
