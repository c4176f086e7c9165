import type { ClaimOutcome, PaymentRow } from '../../ledger/ledger.ts'
import { signatureMac } from '../authorization/signature-mac.ts'
import { acceptsTerms } from '../terms/accepts-terms.ts'
import { checkNewcomer } from './newcomers.ts'
import { declined, unpaid } from './outcomes.ts'
import { checkPreconditions } from './preconditions.ts'
import { claimedTaskExpiry } from './replay-window.ts'
import { rivalOf } from './reuse-earlier-payment.ts'
import { answer, event, LEASE_MS, LOOK_AGAIN, type Next, type SaleRun } from './sale-context.ts'

/** Claims an authorization that the ledger has never seen, unless a precondition fails. */
export async function claim(run: SaleRun): Promise<Next> {
  const { context, attempt } = run
  const { call, key, payment } = attempt
  if (!acceptsTerms(payment, context.terms, call.items))
    return answer(unpaid(context, attempt, 'payment_terms_mismatch'))
  const obstacle = (await checkPreconditions(run)) ?? (await checkNewcomer(run))
  if (obstacle !== null) return obstacle
  const now = context.now()
  const { value, to, validBefore } = payment.authorization
  const row = {
    ...key,
    ...(await claimOf(run, now)),
    amount: value,
    payTo: to,
    validBefore: Number(validBefore),
    claimedAt: Math.min(now, context.chainTime()),
    claimedBlock: context.headNumber(),
  }
  const attachment = call.attachment(key, claimedTaskExpiry(row), now)
  return afterClaim(run, await context.ledger.claim(row, attachment))
}

/** Nothing was ever sent under this row, so the request at hand may have it, whatever it asks for. */
export async function takeOver(run: SaleRun, row: PaymentRow): Promise<Next> {
  const { context, attempt } = run
  const { ledger, owner } = context
  const obstacle = await checkPreconditions(run)
  if (obstacle !== null) {
    // If this process held it, other processes need not wait for the lease to end.
    if (obstacle.kind === 'answer' && row.owner === owner) await release(run, row)
    return obstacle
  }
  const now = context.now()
  const attachment = attempt.call.attachment(attempt.key, claimedTaskExpiry(row), now)
  return afterClaim(run, await ledger.reclaim(row, await claimOf(run, now), attachment))
}

/** What a row records of the request that holds it. */
export async function claimOf({ context, attempt }: SaleRun, now: number) {
  const { call, key, identifiers, payment, recovered } = attempt
  return {
    ...(await context.bindings.bind(call.fingerprints[0], now)),
    owner: context.owner,
    leaseUntil: now + LEASE_MS,
    surface: call.surface,
    checkType: call.type,
    ruleset: call.ruleset,
    shape: call.shape,
    items: call.items,
    signatureMac: recovered ? null : signatureMac(context.keys, payment),
    identifier: identifiers[0] ?? null,
    taskKey: call.taskFor(key)?.key ?? null,
  }
}

async function afterClaim(run: SaleRun, outcome: ClaimOutcome): Promise<Next> {
  switch (outcome.kind) {
    case 'claimed':
      return yieldToRival(run, outcome.row)
    case 'known':
      return LOOK_AGAIN
    case 'task_gone':
      return answer(declined('task_not_found'))
    case 'task_taken':
      return answer(declined('payment_already_used'))
  }
}

/**
 * Of several new authorizations of one payer for the same call at the same moment, on whatever replicas, one is sent
 * and the others wait for its answer. Each claims first and looks for the others after that, so at least one of two
 * sees the other. One that sees an earlier claim releases its own; the earlier one waits until the other has done so.
 */
async function yieldToRival(run: SaleRun, row: PaymentRow): Promise<Next> {
  const { timing } = run.context
  const until = timing.monotonicMs() + Math.min(timing.waitMs, LEASE_MS / 2)
  for (;;) {
    const rival = await rivalOf(run)
    if (rival === null) return event('owned', row)
    const isFirst = rival.state === 'claimed' && isBefore(row, rival)
    if (!isFirst || timing.monotonicMs() > until) {
      await release(run, row)
      return LOOK_AGAIN
    }
    await timing.sleep(timing.lookMs)
  }
}

const isBefore = (one: PaymentRow, other: PaymentRow): boolean =>
  one.claimedAt < other.claimedAt || (one.claimedAt === other.claimedAt && one.nonce < other.nonce)

const release = ({ context }: SaleRun, row: PaymentRow) =>
  context.ledger.move(row, { owner: null, leaseUntil: 0 })
