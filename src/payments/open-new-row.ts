import type { NewPayment } from '../ledger/ledger.ts'
import { bind } from './fingerprint.ts'
import { mayOpen } from './may-open.ts'
import { type Attempt, claimedTaskExpiry, LEASE_MS, type SaleContext } from './sale-context.ts'
import { type Step, stepOfClaim } from './step.ts'

/** Claims an authorization the ledger has never seen, unless something stands against it. */
export async function openNewRow(context: SaleContext, attempt: Attempt): Promise<Step> {
  const obstacle = await mayOpen(context, attempt)
  if (obstacle !== null) return obstacle
  const now = context.now()
  const payment = newPayment(context, attempt, now)
  const attachment = attempt.subject.attachment(attempt.key, claimedTaskExpiry(payment), now)
  return stepOfClaim(await context.ledger.claim(payment, attachment))
}

function newPayment(
  { keys, terms, owner, chainTime }: SaleContext,
  attempt: Attempt,
  now: number,
): NewPayment {
  const { subject, payment, key, identifiers } = attempt
  return {
    ...key,
    ...bind(keys, subject.fingerprints[0]),
    amount: terms.amount,
    payTo: terms.payTo,
    validBefore: Number(payment.authorization.validBefore),
    owner,
    leaseUntil: now + LEASE_MS,
    surface: subject.surface,
    checkType: subject.skill.id,
    ruleset: subject.ruleset,
    identifier: identifiers[0] ?? null,
    taskKey: subject.taskFor(key)?.key ?? null,
    claimedAt: Math.min(now, chainTime()),
  }
}
