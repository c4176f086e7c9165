import type { Count } from '../../ledger/figures/operator-figures.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { DAY_MS, dayOf, oncePer } from '../../values/utc-days.ts'
import type { Call, Sale, Sell, Verdicts } from '../ports/sale.ts'
import type { HoldVerdict } from '../ports/task.ts'

export interface SaleCounters {
  add(surface: string, checkType: string, outcome: string, at: number): void
  /** Writes what was counted since the last flush; if that fails, the next one retries. */
  flush(): Promise<void>
}

type Cell = { -readonly [member in keyof Count]: Count[member] }

export function createSaleCounters(
  ledger: Pick<Ledger, 'addCounts'>,
  onAdd: (surface: string, checkType: string, outcome: string) => void = () => {},
): SaleCounters {
  const cells = new Map<string, Cell>()
  const dayAt = oncePer(DAY_MS, dayOf)
  const add = ({ day, surface, checkType, outcome, count }: Count) => {
    const key = `${day}/${surface}/${checkType}/${outcome}`
    const cell = cells.get(key)
    if (cell === undefined) cells.set(key, { day, surface, checkType, outcome, count })
    else cell.count += count
  }
  return {
    add(surface, checkType, outcome, at) {
      add({ day: dayAt(at), surface, checkType, outcome, count: 1 })
      onAdd(surface, checkType, outcome)
    },
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

export function countSales(sell: Sell, counters: SaleCounters, now: () => number): Sell {
  return async (call, rawPayment) => {
    const sale = await sell(call, rawPayment)
    counters.add(call.surface, typeOf(call, sale), outcomeOf(sale), now())
    return sale
  }
}

/** The outcome of a held verdict is a quote. */
export function countWithheld(
  holdVerdict: HoldVerdict,
  counters: SaleCounters,
  now: () => number,
): HoldVerdict {
  return async (call) => {
    const withheld = await holdVerdict(call)
    const outcome = withheld.kind === 'withheld' ? 'payment_required' : withheld.code
    counters.add(call.surface, call.type, outcome, now())
    return withheld
  }
}

const outcomeOf = (sale: Sale) => (sale.kind === 'sold' ? (sale.replayed ? 'replayed' : 'sold') : sale.code)

/** A sealed call has no type, but its verdicts do. */
const typeOf = (call: Call, sale: Sale) =>
  call.kind === 'value' ? call.type : sale.kind === 'sold' ? typeOfVerdicts(sale.verdicts) : 'task'

const typeOfVerdicts = ([first, ...rest]: Verdicts) =>
  rest.every(({ type }) => type === first.type) ? first.type : 'mixed'
