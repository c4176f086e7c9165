import type { PaymentRow } from '../../ledger/ledger.ts'
import type { Declined, DeclinedCode, Sold, Unpaid, UnpaidCode } from '../sale.ts'
import { refusalOf } from './receipt.ts'
import {
  type Attempt,
  IN_DOUBT_RETRY_SECONDS,
  type SaleContext,
  UNAVAILABLE_RETRY_SECONDS,
} from './sale-context.ts'

const TIME_CODES: readonly UnpaidCode[] = [
  'payment_expired',
  'payment_not_yet_valid',
  'payment_valid_too_long',
]

/** An outcome with terms, before anything was sent to a facilitator. */
export function unpaid(context: SaleContext, { quote }: Pick<Attempt, 'quote'>, code: UnpaidCode): Unpaid {
  const base = { kind: 'unpaid', code, quote } as const
  return TIME_CODES.includes(code) ? { ...base, serverTime: Math.floor(context.now() / 1000) } : base
}

/** An outcome with terms, after a facilitator refused to settle. */
export const refused = (context: SaleContext, attempt: Attempt, code: UnpaidCode): Unpaid => ({
  ...unpaid(context, attempt, code),
  settlement: refusalOf(attempt.key.payer, code),
})

export const declined = (code: DeclinedCode, retryAfterSeconds?: number): Declined =>
  retryAfterSeconds === undefined ? { kind: 'declined', code } : { kind: 'declined', code, retryAfterSeconds }

export const unavailable = (code: 'facilitator_unavailable' | 'store_unavailable'): Declined =>
  declined(code, UNAVAILABLE_RETRY_SECONDS)

/** Only the chain knows; the task the call is kept as, where there is one, will show how it ended. */
export function inDoubt({ subject, key }: Pick<Attempt, 'subject' | 'key'>): Declined {
  const outcome = declined('payment_in_doubt', IN_DOUBT_RETRY_SECONDS)
  const task = subject.taskFor(key)
  return task === undefined ? outcome : { ...outcome, taskId: task.id }
}

/** The answer to a settled row, first time or again. */
export function sold(
  context: SaleContext,
  { subject, key }: Pick<Attempt, 'subject' | 'key'>,
  row: PaymentRow,
  replayed: boolean,
): Sold {
  const task = subject.taskFor(key)
  return {
    kind: 'sold',
    verdict: subject.verdict(),
    settlement: context.receiptOf(row),
    replayed,
    rulesetChanged: subject.ruleset !== row.ruleset,
    delivered: () => {
      if (row.deliveredAt !== null) return
      // Nobody waits for this note: without it the buyer is answered once more, and nothing is charged.
      context.ledger.noteDelivered(row, context.now()).catch(() => {})
    },
    ...(task === undefined ? {} : { taskId: task.id }),
  }
}
