import { setTimeout as sleep } from 'node:timers/promises'
import { type PaymentRow, StoreUnavailable } from '../ledger/ledger.ts'
import type { SaleContext } from './sale-context.ts'

const PAUSES_MS = [50, 200, 500, 1_000] as const

/**
 * Writes a settlement down, whatever the row has become in the meantime; the written row, or null when the store
 * would not take it. Then the row stays as it is, and the chain tells the rest later.
 */
export async function recordSettled(
  { ledger, now }: Pick<SaleContext, 'ledger' | 'now'>,
  row: PaymentRow,
  transaction: string,
): Promise<PaymentRow | null> {
  let seen: PaymentRow | null = row
  for (const pause of [...PAUSES_MS, 0]) {
    try {
      if (seen === null || seen.state === 'settled') return seen
      const change = { state: 'settled', transaction, settledAt: now(), refusal: null } as const
      const moved = await ledger.move(seen, { ...change, owner: null, leaseUntil: 0 })
      if (moved !== null) return moved
      seen = await ledger.find(row)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      await sleep(pause)
    }
  }
  return null
}
