import { judgeWindow } from '../authorization/validity-window.ts'
import type { Sale } from '../sale.ts'
import { declined, unavailable, unpaid } from './outcomes.ts'
import { reuseEarlierPayment } from './reuse-earlier-payment.ts'
import type { Attempt, SaleContext } from './sale-context.ts'
import { codeOfInvalidReason } from './settle-outcome.ts'
import { settlementPayload } from './settlement-payload.ts'
import { answer, type Step } from './step.ts'

/**
 * What stands between an authorization and its first settlement, or the next: its time, its signature where only a
 * facilitator can judge it, an earlier payment that is meant, too many refusals, and paused money. Null when nothing
 * does.
 */
export async function checkPreconditions(context: SaleContext, attempt: Attempt): Promise<Step | null> {
  const untimely = judgeWindow(attempt.payment.authorization, Math.floor(context.now() / 1000))
  if (untimely !== null) return answer(unpaid(context, attempt, untimely))
  if (attempt.needsVerify) {
    const refusal = holdUp(context, attempt) ?? (await askFacilitator(context, attempt))
    if (refusal !== null) return answer(refusal)
  }
  const earlier = await reuseEarlierPayment(context, attempt)
  if (earlier !== null) return earlier
  const refusal =
    holdUp(context, attempt) ??
    (context.verifyAlways && !attempt.needsVerify ? await askFacilitator(context, attempt) : null)
  return refusal === null ? null : answer(refusal)
}

/** Whether this payer was refused too often lately, or nobody can be charged now. */
function holdUp({ refusals, maySettle, now }: SaleContext, { key }: Attempt): Sale | null {
  const wait = refusals.waitSeconds(key.payer, now())
  if (wait > 0) return declined('too_many_requests', wait)
  return maySettle() ? null : unavailable('facilitator_unavailable')
}

async function askFacilitator(context: SaleContext, attempt: Attempt): Promise<Sale | null> {
  const { server, terms } = context
  try {
    const { isValid, invalidReason } = await server.verifyPayment(
      settlementPayload(attempt, terms),
      terms.requirements,
    )
    if (isValid === true) return null
    // Without a good signature it is not this payer who was refused, and he must not suffer for it.
    if (!attempt.needsVerify) context.refusals.note(attempt.key.payer, context.now())
    return unpaid(context, attempt, codeOfInvalidReason(invalidReason))
  } catch {
    context.report({ event: 'facilitator_unavailable' })
    return unavailable('facilitator_unavailable')
  }
}
