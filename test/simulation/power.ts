import type Database from 'better-sqlite3'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { PaymentKey } from '../../src/ledger/payment-row.ts'
import type { NewTask } from '../../src/ledger/task-row.ts'

type Image = Record<string, unknown>

/** Writes that wait for no flush, beside moves that say so. */
const UNFLUSHED = ['noteDelivered']
/** Writes that are flushed, and take everything along that was written before them. */
const FLUSHED = ['reclaim', 'noteRepeat', 'noteSent', 'endTask', 'ensureFact', 'replaceFact']

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
  const waitsForNoFlush = (name: string, args: readonly unknown[]): boolean =>
    UNFLUSHED.includes(name) ||
    (name === 'move' && (args[2] as { durable?: boolean } | undefined)?.durable === false)

  const ledger = new Proxy(real, {
    get(target, name: keyof Ledger) {
      const run = target[name]
      if (typeof run !== 'function') return run
      return async (...args: unknown[]) => {
        const work = () => (run as (...args: unknown[]) => Promise<unknown>).apply(target, args)
        if (name === 'saveTask') {
          const result = await work()
          const { key } = args[0] as NewTask
          if (result === 'saved') lost.set(key, () => void dropTask.run(key))
          return result
        }
        if (!waitsForNoFlush(name, args)) {
          const result = await work()
          if (isFlushed(name, result)) lost.clear()
          return result
        }
        const key = args[0] as PaymentKey
        const image = imageOf(key)
        const result = await work()
        const id = `${key.payer}/${key.nonce}`
        if (image !== undefined && !lost.has(id)) lost.set(id, () => putBack(image))
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
