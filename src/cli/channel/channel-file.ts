import { homedir } from 'node:os'
import { join } from 'node:path'
import type { PaymentPayload } from '@x402/core/types'
import type { ChannelAccount, ChannelBook, PendingCall } from '../../buyer/channel/channel-account.ts'
import { openPrivateDatabase } from '../buy/private-database.ts'
import { inTransaction } from '../buy/sqlite-file.ts'

/** What became of a payment that this book waits for no longer: charged, or never charged for its own call. */
export type PaymentEnd = 'charged' | 'free'

/** A book in a file that one run at a time has open. */
export interface ChannelFile extends ChannelBook {
  /** Of a payment for a list. Null if the book never knew of it, or knows that its answer arrived. */
  endOf(id: string, payment: Pick<PendingCall, 'total' | 'call'>): PaymentEnd | null
  close(): void
}

/** Amounts are text: a sum may be wider than SQLite's integers. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS book (version INTEGER, salt BLOB);
  CREATE TABLE IF NOT EXISTS channel (
    id TEXT PRIMARY KEY, balance TEXT NOT NULL, charged TEXT NOT NULL, signed TEXT NOT NULL,
    payload TEXT, total TEXT, deposit TEXT, call TEXT);
  CREATE TABLE IF NOT EXISTS ended (
    id TEXT NOT NULL, total TEXT NOT NULL, call TEXT NOT NULL, state TEXT NOT NULL, PRIMARY KEY (id, total, call));`
const VERSION = 1
const LIST = 'list/'

/** Names the request of a list by what stands for it in its own journal. */
export const listCall = (key: string): string => LIST + key

/** The file of one payer at one service, in the user's state directory. */
export function defaultChannelFile(url: string, payer: string): string {
  const host = new URL(url).host.replace(/[^A-Za-z0-9.-]/g, '_')
  const name = `${host}-${payer.toLowerCase().slice(2, 10)}.sqlite`
  return join(homedir(), '.local', 'state', 'format-checker', 'channels', name)
}

/**
 * Opens or creates the file, for its owner alone. Each write is synced before it returns; a second run on the same file
 * is refused. Throws `UsageError` if it cannot be used.
 */
export function openChannelFile(path: string): ChannelFile {
  const { database, keyOf } = openPrivateDatabase(path, {
    schema: SCHEMA,
    makesFolder: true,
    owner: { table: 'book', columns: { version: VERSION } },
    faults: {
      busy: 'another run uses this channel; wait until it ends',
      foreign: "the channel's file is not one of this program; move it away",
      other: "the channel's file is of another version of this program",
      unwritable: (code) =>
        `the channel's file cannot be written (${code}); name another with --channel-file`,
    },
  })
  const statements = {
    find: database.prepare('SELECT * FROM channel WHERE id = ?'),
    write: database.prepare(
      'INSERT OR REPLACE INTO channel VALUES (@id, @balance, @charged, @signed, @payload, @total, @deposit, @call)',
    ),
    end: database.prepare('INSERT OR REPLACE INTO ended VALUES (@id, @total, @call, @state)'),
    forget: database.prepare('DELETE FROM ended WHERE id = @id AND total = @total AND call = @call'),
    endOf: database.prepare('SELECT state FROM ended WHERE id = @id AND total = @total AND call = @call'),
  }
  const find = (id: string): ChannelAccount | null => {
    const row = statements.find.get(id) as Stored | undefined
    return row === undefined ? null : toAccount(row)
  }
  return {
    find,
    // The end of a payment is known at this moment only: later vouchers may pass its sum.
    write: inTransaction(database, (id: string, account: ChannelAccount, soldTo?: string) => {
      const { pending } = account
      const before = find(id)?.pending
      // Only a list asks later. With the salt beside it, what stands for one value could be guessed, so it is not kept.
      const isAsked = before?.call.startsWith(LIST)
      if (before && isAsked && !isSame(before, pending) && before.call !== soldTo) {
        const isCharged = soldTo === undefined && account.charged >= before.total
        statements.end.run({ ...nameOf(id, before), state: isCharged ? 'charged' : 'free' })
      }
      if (pending !== null) statements.forget.run(nameOf(id, pending))
      statements.write.run({ ...toStored(id, account) })
    }),
    endOf: (id, payment) =>
      (statements.endOf.get(nameOf(id, payment)) as { readonly state: PaymentEnd } | undefined)?.state ??
      null,
    callKey: (type, value) => keyOf(`${type}\n${value}`),
    close: () => database.close(),
  }
}

const isSame = (one: PendingCall, other: PendingCall | null): boolean =>
  one.total === other?.total && one.call === other.call

const nameOf = (id: string, { total, call }: Pick<PendingCall, 'total' | 'call'>) => ({
  id,
  total: total.toString(),
  call,
})

interface Stored {
  readonly id: string
  readonly balance: string
  readonly charged: string
  readonly signed: string
  readonly payload: string | null
  readonly total: string | null
  readonly deposit: string | null
  readonly call: string | null
}

const toStored = (id: string, { balance, charged, signed, pending }: ChannelAccount): Stored => ({
  id,
  balance: balance.toString(),
  charged: charged.toString(),
  signed: signed.toString(),
  payload: pending === null ? null : JSON.stringify(pending.payload),
  total: pending?.total.toString() ?? null,
  deposit: pending?.deposit.toString() ?? null,
  call: pending?.call ?? null,
})

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
