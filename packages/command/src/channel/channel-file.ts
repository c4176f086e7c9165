import type { PaymentPayload } from '@x402/core/types'
import { openPrivateDatabase } from '../buy/private-database.ts'
import { stateFile } from '../buy/state-file.ts'
import type { ChannelAccount, ChannelBook } from '../buyer/channel/channel-account.ts'

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

/** The file of one payer at one service, in the user's state directory. */
export function defaultChannelFile(url: string, payer: string): string {
  const host = new URL(url).host.replace(/[^A-Za-z0-9.-]/g, '_')
  const name = `${host}-${payer.toLowerCase().slice(2, 10)}.sqlite`
  return stateFile('channels', name)
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
  }
  return {
    find(id) {
      const row = statements.find.get(id) as Stored | undefined
      return row === undefined ? null : toAccount(row)
    },
    write: (id, account) => void statements.write.run({ ...toStored(id, account) }),
    callKey: (type, value) => keyOf(`${type}\n${value}`),
    close: () => database.close(),
  }
}

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
