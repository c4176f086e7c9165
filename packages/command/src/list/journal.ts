import { rmSync } from 'node:fs'
import type { PaymentPayload } from '@x402/core/types'
import type { Checked } from '../../../../src/lists/results.ts'
import { openPrivateDatabase } from '../buy/private-database.ts'
import { inTransaction } from '../buy/sqlite-file.ts'
import { type Bought, type MadePayment, type MadeRow, madePayment, termsIn } from './made-payment.ts'

export type Journal = ReturnType<typeof openJournal>

/** Where a value is in a payment. */
export interface Place {
  readonly payment: number
  readonly position: number
}

/** Atomic units, runs before this one included. */
export interface Totals {
  readonly spent: bigint
  /** The sum of payments without results. */
  readonly uncertain: bigint
  /** The sum of payments that the service says it does not charge. */
  readonly refused: bigint
}

export interface SignedPayment {
  readonly payload: PaymentPayload
  /** Atomic units. */
  readonly amount: bigint
  /** Keys of the values, in the order in which they are sent. */
  readonly keys: readonly string[]
}

export interface PendingPayment {
  readonly id: number
  readonly payload: PaymentPayload
  /** What its values cost, in atomic units. */
  readonly amount: bigint
  readonly size: number
}

export type JournalEntry =
  | { readonly kind: 'checked'; readonly result: Checked }
  | ({ readonly kind: 'pending' } & Place)
  | { readonly kind: 'lost' }

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS list (version INTEGER, type TEXT, url TEXT, salt BLOB);
  CREATE TABLE IF NOT EXISTS payment (
    id INTEGER PRIMARY KEY, payload TEXT NOT NULL, amount INTEGER NOT NULL, size INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('sent', 'charged', 'lost')));
  CREATE TABLE IF NOT EXISTS item (
    key TEXT PRIMARY KEY, payment INTEGER NOT NULL, position INTEGER NOT NULL, result TEXT) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS refused (payment INTEGER PRIMARY KEY, amount INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS evidence (
    payment INTEGER PRIMARY KEY, settlement TEXT NOT NULL, payTo TEXT, results TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS request (payment INTEGER PRIMARY KEY, request TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS item_payment ON item (payment, position);
  -- A run that was killed before its first payment keeps no other list away.
  DELETE FROM list WHERE NOT EXISTS (SELECT * FROM payment) AND NOT EXISTS (SELECT * FROM refused);`

export interface JournalOwner {
  readonly type: string
  /** Base URL of the service, with a network that is not the default one. */
  readonly url: string
}

/**
 * Opens or creates what a list purchase has signed and bought so far, so that an interrupted run can be continued and never
 * pays twice; readable by its owner only, without a path kept in memory.
 *
 * A payment is written and synced before it is sent. A run that finds a payment without results sends the same authorization
 * again. Values are kept as keyed hashes only.
 */
export function openJournal(path: string | null, { type, url }: JournalOwner) {
  const { database, keyOf } = openPrivateDatabase(path, {
    schema: SCHEMA,
    makesFolder: false,
    owner: { table: 'list', columns: { version: 1, type, url } },
    faults: {
      busy: 'another run continues this list; wait until it ends',
      foreign: 'the journal beside the output is not one of this program; move it away',
      other: 'the journal beside the output belongs to another TYPE, --url or --network',
      unwritable: (code) =>
        code === 'ENOENT'
          ? 'the folder of --out does not exist'
          : `the journal beside the output cannot be written (${code})`,
    },
  })
  const statements = {
    find: database.prepare(
      'SELECT item.payment, item.position, item.result, payment.state FROM item JOIN payment ON payment.id = item.payment WHERE key = ?',
    ),
    insertPayment: database.prepare(
      "INSERT INTO payment (payload, amount, size, state) VALUES (?, ?, ?, 'sent')",
    ),
    insertItem: database.prepare('INSERT INTO item (key, payment, position) VALUES (?, ?, ?)'),
    setResult: database.prepare('UPDATE item SET result = ? WHERE payment = ? AND position = ?'),
    setCharged: database.prepare("UPDATE payment SET state = 'charged', payload = '' WHERE id = ?"),
    setLost: database.prepare("UPDATE payment SET state = 'lost' WHERE id = ?"),
    removeItems: database.prepare('DELETE FROM item WHERE payment = ?'),
    removePayment: database.prepare('DELETE FROM payment WHERE id = ?'),
    pending: database.prepare(
      "SELECT id, payload, amount, size FROM payment WHERE state = 'sent' ORDER BY id",
    ),
    sums: database.prepare(
      "SELECT coalesce(sum(iif(state = 'sent', 0, amount)), 0) AS spent, coalesce(sum(iif(state = 'sent', amount, 0)), 0) AS uncertain, (SELECT coalesce(sum(amount), 0) FROM refused) AS refused FROM payment",
    ),
    checked: database.prepare('SELECT count(result) AS count FROM item'),
    insertEvidence: database.prepare('INSERT INTO evidence VALUES (?, ?, ?, ?)'),
    insertRequest: database.prepare('INSERT INTO request VALUES (?, ?)'),
    payloadOf: database.prepare('SELECT payload FROM payment WHERE id = ?'),
    made: database.prepare(
      "SELECT id, amount, size, payload, settlement, payTo, results, request FROM payment LEFT JOIN evidence ON evidence.payment = id LEFT JOIN request ON request.payment = id WHERE state != 'sent' ORDER BY id",
    ),
    insertRefused: database.prepare('INSERT INTO refused (amount) SELECT amount FROM payment WHERE id = ?'),
  }
  statements.sums.setReadBigInts(true)
  return {
    /** The key of a value; the type is that of the list by default. */
    keyOf: (text: string, of: string = type) => keyOf(of === type ? text : `${of}\n${text}`),
    find(key: string): JournalEntry | undefined {
      const row = statements.find.get(key) as ItemRow | undefined
      if (row === undefined) return undefined
      if (row.result !== null) return { kind: 'checked', result: JSON.parse(row.result) as Checked }
      if (row.state === 'lost') return { kind: 'lost' }
      return { kind: 'pending', payment: row.payment, position: row.position }
    },
    /** Writes a signed payment before it is sent; returns its number. */
    begin: inTransaction(database, ({ payload, amount, keys }: SignedPayment) => {
      const { lastInsertRowid } = statements.insertPayment.run(JSON.stringify(payload), amount, keys.length)
      const payment = Number(lastInsertRowid)
      for (const [position, key] of keys.entries()) statements.insertItem.run(key, payment, position)
      return payment
    }),
    /** `evidence` is kept for the statement, in a journal that is a file. */
    settle: inTransaction(
      database,
      (payment: number, results: readonly Checked[], evidence?: () => Bought) => {
        if (path !== null && evidence !== undefined) {
          const { settlement, request, results: packed } = evidence()
          const { payload } = statements.payloadOf.get(payment) as { payload: string }
          statements.insertEvidence.run(payment, JSON.stringify(settlement), termsIn(payload).payTo, packed)
          statements.insertRequest.run(payment, request)
        }
        for (const [position, result] of results.entries()) {
          statements.setResult.run(JSON.stringify(result), payment, position)
        }
        statements.setCharged.run(payment)
      },
    ),
    /** Forgets a payment, so that its values may be bought again. Its amount counts as spent: the service may lie about it. */
    refuse: inTransaction(database, (payment: number) => {
      statements.insertRefused.run(payment)
      statements.removeItems.run(payment)
      statements.removePayment.run(payment)
    }),
    /** Records a payment as made and its answers as lost; its values are not bought again. */
    lose: (payment: number) => void statements.setLost.run(payment),
    /** Payments without results, oldest first. */
    pending: (): readonly PendingPayment[] =>
      (
        statements.pending.all() as unknown as { id: number; payload: string; amount: number; size: number }[]
      ).map((row) => ({
        ...row,
        amount: BigInt(row.amount),
        payload: JSON.parse(row.payload) as PaymentPayload,
      })),
    /** How many different values have a result. */
    checked: () => Number(statements.checked.get()?.count),
    placeOf: (key: string) => statements.find.get(key) as Place | undefined,
    /** Payments that were made, oldest first. */
    payments: (): readonly MadePayment[] => (statements.made.all() as unknown as MadeRow[]).map(madePayment),
    totals: () => ({ ...statements.sums.get() }) as unknown as Totals,
    /** Notes whether what is under the name of the output from now on is of this list. */
    noteOutput: (isOurs: boolean) => database.exec(`PRAGMA user_version = ${isOurs ? 1 : 0}`),
    /** Whether a run before this one noted its output. */
    hasOutput: database.prepare('PRAGMA user_version').get()?.user_version === 1,
    /** Removes the file if the list is done. */
    close({ isDone }: { readonly isDone: boolean }) {
      database.close()
      if (isDone && path !== null) rmSync(path)
    },
  }
}

interface ItemRow extends Place {
  readonly result: string | null
  readonly state: string
}
