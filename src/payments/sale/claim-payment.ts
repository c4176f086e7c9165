import type { NewPayment } from '../../ledger/ledger.ts'
import { claimOf } from './new-payment.ts'
import { checkPreconditions } from './preconditions.ts'
import { type Attempt, claimedTaskExpiry, type SaleContext } from './sale-context.ts'
import { type Step, stepOfClaim } from './step.ts'

/** Claims an authorization the ledger has never seen, unless something stands against it. */
export async function claimPayment(context: SaleContext, attempt: Attempt): Promise<Step> {
  const obstacle = await checkPreconditions(context, attempt)
  if (obstacle !== null) return obstacle
  const now = context.now()
  const payment = newPayment(context, attempt, now)
  const attachment = attempt.subject.attachment(attempt.key, claimedTaskExpiry(payment), now)
  return stepOfClaim(await context.ledger.claim(payment, attachment))
}

function newPayment(context: SaleContext, attempt: Attempt, now: number): NewPayment {
  const { terms, chainTime } = context
  return {
    ...attempt.key,
    ...claimOf(context, attempt, now),
    amount: terms.amount,
    payTo: terms.payTo,
    validBefore: Number(attempt.payment.authorization.validBefore),
    claimedAt: Math.min(now, chainTime()),
  }
}
