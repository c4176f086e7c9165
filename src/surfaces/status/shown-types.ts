import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ledger } from '../../ledger/ledger.ts'
import { DAY_MS } from '../../ledger/utc-days.ts'

/** Distinct payers in the window from which on a type is shown. */
export const LEAST_PAYERS = 5

/**
 * Returns what tells the types that enough payers bought on some finished days (YYYY-MM-DD, oldest first).
 *
 * Anyone may ask, and all sales of a month would block an embedded store, and with it the process, for seconds. So days
 * are read one by one, from the newest on, until every type has its payers, and a window once: its days are over.
 */
export function createShownTypes(
  ledger: Pick<Ledger, 'sales'>,
  types: readonly string[],
): (days: readonly string[]) => Promise<ReadonlySet<string>> {
  let kept: { readonly window: string; readonly shown: ReadonlySet<string> } | undefined
  return async (days) => {
    const window = days.join()
    if (kept?.window !== window) kept = { window, shown: await readShown(ledger, types, days) }
    return kept.shown
  }
}

async function readShown(
  ledger: Pick<Ledger, 'sales'>,
  types: readonly string[],
  days: readonly string[],
): Promise<ReadonlySet<string>> {
  const payersOf = new Map(types.map((type) => [type, new Set<string>()]))
  const shown = () =>
    new Set([...payersOf].filter(([, payers]) => payers.size >= LEAST_PAYERS).map(([type]) => type))
  for (const day of days.toReversed()) {
    const from = Date.parse(day)
    for (const { checkType, payer } of await ledger.sales(from, from + DAY_MS))
      payersOf.get(checkType)?.add(payer)
    if (shown().size === types.length) break
    // An embedded store answers without a turn of the event loop.
    await nextTurn()
  }
  return shown()
}
