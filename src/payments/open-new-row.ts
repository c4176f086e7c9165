import type { NewPayment } from '../ledger/ledger.ts'
import { answerEarlierRow } from './answer-earlier-row.ts'
import { bind } from './fingerprint.ts'
import { unavailable, unpaid } from './outcomes.ts'
import type { Sale } from './sale.ts'
import { type Attempt, claimedTaskExpiry, LEASE_MS, type SaleContext } from './sale-context.ts'
import { codeOfInvalidReason } from './settle-outcome.ts'
import { settlementPayload } from './settlement-payload.ts'
import { answer, type Step, stepOfClaim } from './step.ts'
import { judgeWindow } from './validity-window.ts'

/** Sells under an authorization the ledger has never seen: now time, and the facilitator where asked, matter. */
export async function openNewRow(
  context: SaleContext,
  attempt: Attempt,
  needsVerify: boolean,
): Promise<Step> {
  const untimely = judgeWindow(attempt.payment.authorization, Math.floor(context.now() / 1000))
  if (untimely !== null) return answer(unpaid(context, attempt, untimely))
  if (!context.maySettle()) return answer(unavailable('facilitator_unavailable'))
  if (needsVerify || context.verifyAlways) {
    const refusal = await askFacilitator(context, attempt)
    if (refusal !== null) return answer(refusal)
  }
  const earlier = await answerEarlierRow(context, attempt)
  if (earlier !== null) return answer(earlier)
  const now = context.now()
  const payment = newPayment(context, attempt, now)
  const attachment = attempt.subject.attachment(attempt.key, claimedTaskExpiry(payment), now)
  return stepOfClaim(await context.ledger.claim(payment, attachment))
}

function newPayment({ keys, terms, owner }: SaleContext, attempt: Attempt, now: number): NewPayment {
  const { subject, payment, key, identifier } = attempt
  return {
    ...key,
    ...bind(keys, subject.fingerprint),
    amount: terms.amount,
    payTo: terms.payTo,
    validBefore: Number(payment.authorization.validBefore),
    owner,
    leaseUntil: now + LEASE_MS,
    surface: subject.surface,
    checkType: subject.skill.id,
    ruleset: subject.ruleset,
    identifier,
    taskKey: subject.taskFor(key)?.key ?? null,
    claimedAt: now,
  }
}

async function askFacilitator(context: SaleContext, attempt: Attempt): Promise<Sale | null> {
  const { server, terms } = context
  try {
    const { isValid, invalidReason } = await server.verifyPayment(
      settlementPayload(attempt, terms),
      terms.requirements,
    )
    if (isValid === true) return null
    context.refusals.note(attempt.key.payer, context.now())
    return unpaid(context, attempt, codeOfInvalidReason(invalidReason))
  } catch {
    context.report({ event: 'facilitator_unavailable' })
    return unavailable('facilitator_unavailable')
  }
}
