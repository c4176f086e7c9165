import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../../../../src/command-line/usage-error.ts'
import { makeFolder } from '../../../../src/files/make-folder.ts'
import type { Network } from '../../../../src/payments/networks/network.ts'
import { DEFAULT_NETWORK } from '../../../../src/payments/networks/networks.ts'
import { type Database, inTransaction, isFailedFlush, openFile, resultName } from '../buy/sqlite-file.ts'

export type Spending = ReturnType<typeof openSpending>

/** An amount taken out of one day's limit. */
export type Reservation = NonNullable<ReturnType<Spending['reserve']>>

/** How long another process may hold the file. */
const WAIT_MS = 5_000

/**
 * Opens or creates the file of what all processes spend on a UTC day, readable by its owner alone; each network has its own
 * limit. It and `reserve` throw {@link UsageError} if the file cannot be written; after a failed flush `reserve` never succeeds again.
 */
export function openSpending(
  path: string,
  maxPerDay: bigint,
  now: () => number,
  network: Network = DEFAULT_NETWORK,
) {
  const database = explained(() => openDatabase(path))
  let hasFailedFlush = false
  const write = <T>(act: () => T): T => {
    if (hasFailedFlush)
      throw new UsageError('the disk failed to flush the file of the spending; nothing more is paid')
    try {
      return act()
    } catch (error) {
      hasFailedFlush = isFailedFlush(error)
      throw error
    }
  }
  const statements = {
    open: database.prepare('INSERT OR IGNORE INTO day (day, spent) VALUES (?, 0)'),
    take: database.prepare('UPDATE day SET spent = spent + ? WHERE day = ? AND spent + ? <= ?'),
    giveBack: database.prepare('UPDATE day SET spent = max(0, spent - ?) WHERE day = ?'),
    spent: database.prepare('SELECT spent FROM day WHERE day = ?'),
  }
  statements.spent.setReadBigInts(true)
  const suffix = network === DEFAULT_NETWORK ? '' : ` ${network.name}`
  const today = () => new Date(now()).toISOString().slice(0, 10) + suffix
  const take = inTransaction(database, (day: string, amount: bigint) => {
    statements.open.run(day)
    return statements.take.run(amount, day, amount, maxPerDay).changes === 1
  })
  return {
    /** Takes an amount out of the day's limit before it is signed for; null if the limit would be passed. */
    reserve(amount: bigint) {
      const day = today()
      if (!explained(() => write(() => take(day, amount)))) return null
      return {
        /** Gives back what is known not to be charged. */
        release: (unused: bigint) => void write(() => statements.giveBack.run(unused, day)),
      }
    },
    /** Atomic units spent or reserved today. */
    today: () => (statements.spent.get(today()) as { readonly spent: bigint } | undefined)?.spent ?? 0n,
    close: () => database.close(),
  }
}

function openDatabase(path: string): Database {
  makeFolder(dirname(path))
  closeSync(openSync(path, 'a', 0o600))
  const database = openFile(path, WAIT_MS)
  database.exec('CREATE TABLE IF NOT EXISTS day (day TEXT PRIMARY KEY, spent INTEGER NOT NULL)')
  return database
}

function explained<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof UsageError) throw error
    const code = resultName(error) ?? (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new UsageError(`the file of the spending cannot be written (${code}); name another with --spending`)
  }
}
