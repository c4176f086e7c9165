import type { PaymentRow } from '../ledger/ledger.ts'
import { isBoundTo } from './fingerprint.ts'
import { declined, sold } from './outcomes.ts'
import type { Sale } from './sale.ts'
import { type Attempt, REPLAY_WINDOW_MS, type SaleContext } from './sale-context.ts'
import { answerFromChain } from './settle-row.ts'

/** How far back a buyer who signed anew is still taken to mean his earlier payment. */
const SIGNED_ANEW_WITHIN_MS = 600_000

/**
 * Answers a new, verified authorization from an earlier payment of the same payer, where he means that one: it
 * carries the same payment identifier, or its own reply never reached him. The new one is then not settled.
 * Null when this is simply another purchase.
 */
export async function answerEarlierRow(context: SaleContext, attempt: Attempt): Promise<Sale | null> {
  const { ledger, keys } = context
  const { subject, identifier, key } = attempt
  const bound = (row: PaymentRow) => isBoundTo(keys, row, subject.fingerprint)
  if (identifier !== null) {
    const row = await ledger.findByIdentifier(identifier)
    if (row !== null)
      return bound(row) ? answer(context, attempt, row) : declined('payment_identifier_conflict')
  }
  const since = context.now() - SIGNED_ANEW_WITHIN_MS
  const unanswered = await ledger.unanswered(key.payer, subject.skill.id, since)
  const earlier = unanswered.find(bound)
  return earlier === undefined ? null : answer(context, attempt, earlier)
}

async function answer(context: SaleContext, attempt: Attempt, row: PaymentRow): Promise<Sale | null> {
  const earlier = { ...attempt, key: row }
  switch (row.state) {
    case 'settled':
      if (row.settledAt !== null && row.settledAt + REPLAY_WINDOW_MS < context.now()) return null
      return sold(context, earlier, row, true)
    case 'in_doubt':
      return answerFromChain(context, earlier, row)
    // Not charged so far, and under work only as long as its lease: this is another purchase.
    default:
      return null
  }
}
