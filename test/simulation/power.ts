import type Database from 'better-sqlite3'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { PaymentKey } from '../../src/ledger/payments/payment-row.ts'
import type { NewTask } from '../../src/ledger/tasks/task-row.ts'

type Image = Record<string, unknown>

/** Writes that wait for no flush. */
const UNFLUSHED = ['noteDelivered', 'moveUnflushed']
/** Writes that are flushed, and take everything along that was written before them. */
const FLUSHED = ['reclaim', 'noteRepeat', 'noteSent', 'endTask', 'ensureFact', 'replaceFact']

/** A write that a crash would undo. */
interface Loss {
  /** The row that it changed. */
  readonly of: string
  isMade(result: unknown): boolean
  undo(): void
}

/** A ledger on a machine that can lose its power. */
export interface LossyLedger {
  readonly ledger: Ledger
  /** Every row is again what it was at the last flush, and a task that was saved since is gone. */
  losePower(): void
  /** Everything is on disk: there is nothing to lose. */
  reset(): void
}

/**
 * Remembers what each row was before its first change that is not on disk. A page of the operating system outlives a
 * process that is killed, so a real loss needs this much of a stand-in; `database` is a second connection.
 */
export function lossyLedger(real: Ledger, database: Database.Database): LossyLedger {
  const lost = new Map<string, () => void>()
  const find = database.prepare(
    'select * from payments where network = ? and asset = ? and payer = ? and nonce = ?',
  )
  const imageOf = ({ network, asset, payer, nonce }: PaymentKey) =>
    find.get(network, asset, payer, nonce) as Image | undefined
  const putBack = (image: Image) => {
    const columns = Object.keys(image)
    const values = columns.map((name) => `@${name}`)
    database.prepare(`replace into payments (${columns.join(', ')}) values (${values.join(', ')})`).run(image)
  }
  const dropTask = database.prepare('delete from tasks where key = ?')

  const isFlushed = (name: string, result: unknown): boolean => {
    if (name === 'move') return result !== null
    if (name === 'claim') return (result as { kind: string }).kind === 'claimed'
    return FLUSHED.includes(name)
  }
  /** What a crash would undo of a write that waits for no flush; null for the others. Must be asked before the write. */
  const lossOf = (name: string, args: readonly unknown[]): Loss | null => {
    if (name === 'saveTask') {
      const { key } = args[0] as NewTask
      return { of: key, isMade: (result) => result === 'saved', undo: () => void dropTask.run(key) }
    }
    if (!UNFLUSHED.includes(name)) return null
    const key = args[0] as PaymentKey
    const image = imageOf(key)
    if (image === undefined) return null
    return { of: `${key.payer}/${key.nonce}`, isMade: () => true, undo: () => putBack(image) }
  }

  const ledger = new Proxy(real, {
    get(target, name: keyof Ledger) {
      const run = target[name]
      if (typeof run !== 'function') return run
      return async (...args: unknown[]) => {
        const work = () => (run as (...args: unknown[]) => Promise<unknown>).apply(target, args)
        const loss = lossOf(name, args)
        const result = await work()
        if (loss === null) {
          if (isFlushed(name, result)) lost.clear()
        } else if (loss.isMade(result) && !lost.has(loss.of)) lost.set(loss.of, loss.undo)
        return result
      }
    },
  })

  return {
    ledger,
    losePower() {
      for (const undo of lost.values()) undo()
      lost.clear()
    },
    reset: () => lost.clear(),
  }
}
