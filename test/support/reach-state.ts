import type { Ledger } from '../../src/ledger/ledger.ts'
import type { PaymentChange, PaymentRow } from '../../src/ledger/payments/payment-row.ts'
import { TRANSITIONS } from '../../src/ledger/payments/transitions.ts'

/** Moves a row the way a sale does: through `settling` when the state cannot be reached at once. */
export async function reach(ledger: Ledger, row: PaymentRow, change: PaymentChange): Promise<PaymentRow> {
  const isDirect = TRANSITIONS[row.state][change.state ?? row.state] !== undefined
  const from = isDirect ? row : await ledger.move(row, { state: 'settling' })
  const moved = from === null ? null : await ledger.move(from, change)
  if (moved === null) throw new Error('the row was moved by another')
  return moved
}
