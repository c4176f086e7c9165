import type { Count, Ledger } from '../ledger/ledger.ts'
import type { Call, Sale, Sell, Withhold } from './sale.ts'

export interface CountBook {
  add(surface: string, checkType: string, outcome: string, at: number): void
  /** Writes what has been counted since the last time; on failure it is kept for the next. */
  flush(): Promise<void>
}

/** Counts outcomes per day, surface and type in memory and adds them to the ledger now and then. */
export function createCountBook(ledger: Ledger): CountBook {
  const cells = new Map<string, Count>()
  const add = (cell: Count) => {
    const key = `${cell.day}/${cell.surface}/${cell.checkType}/${cell.outcome}`
    cells.set(key, { ...cell, count: (cells.get(key)?.count ?? 0) + cell.count })
  }
  return {
    add: (surface, checkType, outcome, at) =>
      add({ day: new Date(at).toISOString().slice(0, 10), surface, checkType, outcome, count: 1 }),
    async flush() {
      if (cells.size === 0) return
      const batch = [...cells.values()]
      cells.clear()
      try {
        await ledger.addCounts(batch)
      } catch {
        batch.forEach(add)
      }
    },
  }
}

/** A `sell` that counts what came of each call. */
export function countSales(sell: Sell, book: CountBook, now: () => number): Sell {
  return async (call, proof) => {
    const sale = await sell(call, proof)
    book.add(call.surface, typeOf(call, sale), outcomeOf(sale), now())
    return sale
  }
}

/** A `withhold` that counts: what it gives out is a quote. */
export function countWithheld(withhold: Withhold, book: CountBook, now: () => number): Withhold {
  return async (call) => {
    const withheld = await withhold(call)
    const outcome = withheld.kind === 'withheld' ? 'payment_required' : withheld.code
    book.add(call.surface, call.skill.id, outcome, now())
    return withheld
  }
}

/** A book whose every entry is also told to `onAdd`. */
export const announceCounts = (
  book: CountBook,
  onAdd: (surface: string, checkType: string, outcome: string) => void,
): CountBook => ({
  add: (surface, checkType, outcome, at) => {
    book.add(surface, checkType, outcome, at)
    onAdd(surface, checkType, outcome)
  },
  flush: book.flush,
})

const outcomeOf = (sale: Sale) => (sale.kind === 'sold' ? (sale.replayed ? 'replayed' : 'sold') : sale.code)

/** A sealed call names no type by itself; what came of it may. */
const typeOf = (call: Call, sale: Sale) =>
  call.kind === 'value' ? call.skill.id : sale.kind === 'sold' ? sale.verdict.type : 'task'
