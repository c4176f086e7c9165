import { type PaymentRow, StoreUnavailable } from '../../ledger/ledger.ts'
import type { SaleContext } from './sale-context.ts'

/**
 * Lets go of a row this process owned; false when it had lost it, so that somebody else may be sending by now. A store
 * that does not take it leaves the row to its lease.
 */
export async function release(
  { ledger }: Pick<SaleContext, 'ledger'>,
  row: PaymentRow,
  change: {
    readonly state: 'claimed' | 'refused' | 'in_doubt'
    readonly refusal?: string
    readonly attempts?: number
  },
): Promise<boolean> {
  try {
    return (await ledger.move(row, { ...change, owner: null, leaseUntil: 0 })) !== null
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return true
  }
}
