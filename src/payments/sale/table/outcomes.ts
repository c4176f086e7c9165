import { type DeclinedCode, hasTime, type UnpaidCode } from '../../../errors.ts'
import type { PaymentKey, PaymentRow } from '../../../ledger/payments/payment-row.ts'
import type { ClaimOutcome } from '../../../ledger/tasks/claim.ts'
import { DAY_MS } from '../../../values/utc-days.ts'
import type { PaymentMember } from '../../authorization/decode-payment.ts'
import { recordTime } from '../../chain/clocks.ts'
import type { Symptom } from '../../facilitators/facilitator-fault.ts'
import { retryAfterOf } from '../../ports/consequences.ts'
import type { Declined, Sold, Unpaid } from '../../ports/sale.ts'
import { differs, expectedDomain, withReason } from '../../terms/refusal-reasons.ts'
import { LOCKED_FROM } from '../limits/mismatch-limiter.ts'
import type { PurchasedCall } from '../purchase/purchased-call.ts'
import { paidBy, refusalOf } from '../purchase/receipt.ts'
import {
  type Attempt,
  answer,
  isLossLimitReached,
  READ_AGAIN,
  type SaleContext,
  type SaleRun,
} from './sale-context.ts'

export function unpaid(
  context: Pick<SaleContext, 'now'>,
  { quote }: Pick<Attempt, 'quote'>,
  code: UnpaidCode,
  why?: string,
): Unpaid {
  const terms = why === undefined ? { quote } : { quote: withReason(quote, why), why }
  const base = { kind: 'unpaid', code, ...terms } as const
  return hasTime(code) ? { ...base, serverTime: Math.floor(context.now() / 1000) } : base
}

export const unpaidExact = (
  context: Pick<SaleContext, 'now' | 'terms'>,
  attempt: Pick<Attempt, 'quote'>,
  code: UnpaidCode,
): Unpaid =>
  unpaid(
    context,
    attempt,
    code,
    code === 'payment_invalid_signature' ? expectedDomain(context.terms) : undefined,
  )

/** For terms that are not offered; `member` of the payment shows it. */
export const mismatched = (
  context: Pick<SaleContext, 'now'>,
  attempt: Pick<Attempt, 'quote'>,
  member: PaymentMember,
): Unpaid => unpaid(context, attempt, 'payment_terms_mismatch', differs(member))

export const refused = (context: SaleContext, attempt: Attempt, code: UnpaidCode): Unpaid => ({
  ...unpaidExact(context, attempt, code),
  settlement: refusalOf(attempt.key.network, attempt.key.payer, code),
})

/** `seconds` to wait; by default those of the code. */
export function declined(code: DeclinedCode, seconds?: number): Declined {
  const retryAfterSeconds = seconds ?? retryAfterOf({ code })
  return { kind: 'declined', code, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) }
}

/** For a settlement or verification that certainly was not made. */
export const codeOfUnsent = ({ code }: Symptom): 'chain_unavailable' | 'facilitator_unavailable' =>
  code === 'chain_unavailable' ? code : 'facilitator_unavailable'

export const notSent = (
  { pausedBy, losses, now }: Pick<SaleContext, 'pausedBy' | 'losses' | 'now'>,
  symptom: Symptom,
): Declined => {
  const pause = pausedBy()
  if (pause === null && isLossLimitReached(losses)) return pausedForTheDay(now())
  return declined(pause ?? codeOfUnsent(symptom))
}

/** Until the next UTC day. */
export const pausedForTheDay = (now: number): Declined =>
  declined('sales_paused', Math.ceil((DAY_MS - (now % DAY_MS)) / 1000))

export const inDoubtUntilRepeat = (): Declined => ({ ...declined('payment_in_doubt'), awaitsRepeat: true })

/**
 * Only the chain can tell. Names a stored task, which will show how the payment ended. Never rejects: a failure here
 * must not become another answer.
 */
export async function inDoubt(
  { context, attempt }: Pick<SaleRun, 'context' | 'attempt'>,
  key: PaymentKey = attempt.key,
): Promise<Declined> {
  const outcome = declined('payment_in_doubt')
  try {
    const task = attempt.call.task?.of(key)
    const payment = task === undefined ? null : (await context.ledger.findTask(task.key))?.payment
    const isStored =
      payment?.nonce === key.nonce && payment.payer === key.payer && payment.network === key.network
    return task === undefined || !isStored ? outcome : { ...outcome, taskId: task.id }
  } catch {
    return outcome
  }
}

export function notClaimed({ kind }: { readonly kind: Exclude<ClaimOutcome['kind'], 'claimed'> | 'raced' }) {
  switch (kind) {
    case 'known':
    case 'held':
    case 'raced':
      return READ_AGAIN
    case 'task_gone':
      return answer(declined('task_not_found'))
    case 'task_taken':
      return answer(declined('payment_already_used'))
  }
}

export async function sold(
  context: SaleContext,
  { call }: Pick<Attempt, 'call'>,
  row: PaymentRow,
  replayed: boolean,
): Promise<Sold> {
  const bought = { requestDigest: call.requestDigest, json: call.json }
  return soldFor(call, row, {
    settlement: await context.receiptOf(paidBy(row), bought),
    replayed,
    rulesetChanged: call.ruleset !== row.ruleset,
    delivered: () => {
      if (!row.awaitsAnswer) return
      // Not awaited: if the record is lost, the buyer is answered once more, and nothing is charged.
      context.ledger.noteDelivered(row, recordTime(context), LOCKED_FROM).catch(() => {})
    },
  })
}

export function soldFor(
  call: PurchasedCall,
  key: PaymentKey,
  how: Pick<Sold, 'settlement' | 'replayed' | 'rulesetChanged'> & Partial<Pick<Sold, 'delivered'>>,
): Sold {
  const task = call.task?.of(key)
  return {
    kind: 'sold',
    verdicts: call.verdicts(),
    json: call.json,
    delivered: () => {},
    ...how,
    ...(task === undefined ? {} : { taskId: task.id }),
  }
}
