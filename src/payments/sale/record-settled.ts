import { type PaymentRow, StoreUnavailable } from '../../ledger/ledger.ts'
import type { SaleContext } from './sale-context.ts'

/**
 * Writes a settlement down, whatever the row has become in the meantime; the written row, or null when the store
 * would not take it. Then the row stays as it is, and the chain tells the rest later.
 */
export async function recordSettled(
  { ledger, now, timing }: Pick<SaleContext, 'ledger' | 'now' | 'timing'>,
  row: PaymentRow,
  transaction: string,
): Promise<PaymentRow | null> {
  let seen: PaymentRow | null | undefined = row
  for (const pause of [...timing.recordPausesMs, 0]) {
    try {
      // After a failure it is open whether the write was made.
      seen ??= await ledger.find(row)
      if (seen === null || seen.state === 'settled') return seen
      const change = { state: 'settled', transaction, settledAt: now(), refusal: null } as const
      const moved = await ledger.move(seen, { ...change, owner: null, leaseUntil: 0 })
      if (moved !== null) return moved
      seen = undefined
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      seen = undefined
      await timing.sleep(pause)
    }
  }
  return null
}
