import { createHmac, randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { PaymentPayload } from '@x402/core/types'
import Database from 'better-sqlite3'
import type { ChannelAccount, ChannelBook } from '../../buyer/channel/channel-account.ts'
import { UsageError } from '../usage-error.ts'

/** A book in a file that one run at a time has open. */
export interface ChannelFile extends ChannelBook {
  close(): void
}

/** Amounts are text: a sum may be wider than SQLite's integers. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS book (version INTEGER, salt BLOB);
  CREATE TABLE IF NOT EXISTS channel (
    id TEXT PRIMARY KEY, balance TEXT NOT NULL, charged TEXT NOT NULL, signed TEXT NOT NULL,
    payload TEXT, total TEXT, deposit TEXT, call TEXT);`
const VERSION = 1
const KEY_BYTES = 16

/** The file of one payer at one service, in the user's state directory. */
export function defaultChannelFile(url: string, payer: string): string {
  const host = new URL(url).host.replace(/[^A-Za-z0-9.-]/g, '_')
  const name = `${host}-${payer.toLowerCase().slice(2, 10)}.sqlite`
  return join(homedir(), '.local', 'state', 'format-checker', 'channels', name)
}

/**
 * Opens or creates the file, for its owner alone. Each write is synced before it returns; a second run on the same file
 * is refused. Throws {@link UsageError} if it cannot be used.
 */
export function openChannelFile(path: string): ChannelFile {
  const database = openDatabase(path)
  const salt = identify(database)
  const find = database.prepare('SELECT * FROM channel WHERE id = ?')
  const write = database.prepare(
    'INSERT OR REPLACE INTO channel VALUES (@id, @balance, @charged, @signed, @payload, @total, @deposit, @call)',
  )
  return {
    find(id) {
      const row = find.get(id) as Stored | undefined
      return row === undefined ? null : toAccount(row)
    },
    write(id, { balance, charged, signed, pending }) {
      write.run({
        id,
        balance: balance.toString(),
        charged: charged.toString(),
        signed: signed.toString(),
        payload: pending === null ? null : JSON.stringify(pending.payload),
        total: pending?.total.toString() ?? null,
        deposit: pending?.deposit.toString() ?? null,
        call: pending?.call ?? null,
      })
    },
    callKey: (type, value) =>
      createHmac('sha256', salt)
        .update(`${type}\n${value}`)
        .digest()
        .subarray(0, KEY_BYTES)
        .toString('base64url'),
    close: () => database.close(),
  }
}

interface Stored {
  readonly balance: string
  readonly charged: string
  readonly signed: string
  readonly payload: string | null
  readonly total: string | null
  readonly deposit: string | null
  readonly call: string | null
}

const toAccount = ({ balance, charged, signed, payload, total, deposit, call }: Stored): ChannelAccount => ({
  balance: BigInt(balance),
  charged: BigInt(charged),
  signed: BigInt(signed),
  pending:
    payload === null
      ? null
      : {
          payload: JSON.parse(payload) as PaymentPayload,
          total: BigInt(total ?? 0),
          deposit: BigInt(deposit ?? 0),
          call: call ?? '',
        },
})

function openDatabase(path: string): Database.Database {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // SQLite itself would let others read it.
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`the channel's file cannot be written (${code ?? 'unknown'})`)
  }
  const database = new Database(path, { timeout: 0 })
  try {
    database.pragma('locking_mode = EXCLUSIVE')
    database.pragma('journal_mode = DELETE')
    database.pragma('synchronous = EXTRA')
    // Takes the lock, which is then held to the end.
    database.exec('BEGIN EXCLUSIVE; COMMIT')
    database.exec(SCHEMA)
    return database
  } catch (error) {
    database.close()
    const { code } = error as { readonly code?: string }
    if (code === 'SQLITE_BUSY') throw new UsageError('another run uses this channel; wait until it ends')
    if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT')
      throw new UsageError("the channel's file is not one of this program; move it away")
    throw error
  }
}

/** Returns the salt of the keys; throws {@link UsageError} for a file of another version. */
function identify(database: Database.Database): Buffer {
  const known = database.prepare('SELECT version, salt FROM book').get() as
    | { readonly version: number; readonly salt: Buffer }
    | undefined
  if (known === undefined) {
    const salt = randomBytes(32)
    database.prepare('INSERT INTO book VALUES (?, ?)').run(VERSION, salt)
    return salt
  }
  if (known.version === VERSION) return known.salt
  database.close()
  throw new UsageError("the channel's file is of another version of this program")
}
