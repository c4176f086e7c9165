import { counterfactualForm } from '../../authorization/counterfactual.ts'
import { settlementPayload } from '../../authorization/settlement-payload.ts'
import { symptomOf } from '../../facilitators/facilitator-fault.ts'
import type { Sale } from '../../ports/sale.ts'
import { accountOf } from '../limits/account-shares.ts'
import { waitOf, walletsOf } from '../limits/refusal-limiter.ts'
import { askChain } from '../table/ask-chain.ts'
import { codeOfUnsent, declined, unpaid, unpaidExact } from '../table/outcomes.ts'
import { refuseByTime } from '../table/refuse-by-time.ts'
import { answer, type Next, type SaleRun } from '../table/sale-context.ts'
import { codeOfInvalidReason } from '../table/settle-outcome.ts'
import { reuseEarlierPayment } from './reuse-earlier-payment.ts'

/** Null if nothing stops the authorization from being settled. */
export async function checkPreconditions(run: SaleRun): Promise<Next | null> {
  const { context, attempt } = run
  if (run.identifier.isMalformed) return answer(unpaid(context, attempt, 'payment_malformed'))
  const late = refuseByTime(run)
  if (late !== null) return answer(late)
  if (!attempt.recovered && !run.signatureAccepted) {
    const refusal = (await judgeWallet(run)) ?? holdUp(run) ?? (await askFacilitator(run))
    if (refusal !== null) return answer(refusal)
  }
  const earlier = await reuseEarlierPayment(run)
  if (earlier !== null) return earlier
  const refusal = holdUp(run)
  return refusal === null ? takeShare(run) : answer(refusal)
}

export async function isClear(run: SaleRun): Promise<boolean> {
  if (run.identifier.isMalformed || refuseByTime(run) !== null || holdUp(run) !== null) return false
  return (await takeShare(run)) === null
}

/** By then the payer's other settlements are likely to be over. */
const OTHERS_RETRY_SECONDS = 2

/**
 * Each of many settlements that are simulated at once sees the whole balance; without shares, all but the first would
 * revert on chain.
 */
async function takeShare(run: SaleRun): Promise<Next | null> {
  const { context, attempt } = run
  const { from, value } = attempt.payment.authorization
  const readBalance = () =>
    askChain<bigint | null>(
      context,
      () => context.chain.balance(from),
      () => null,
    )
  run.share.release ??= await context.shares.take(accountOf(attempt.key), value, readBalance)
  return run.share.release === null ? answer(declined('too_many_requests', OTHERS_RETRY_SECONDS)) : null
}

/**
 * A signature that is not by the payer's own key is refused unless the payer is a contract wallet, or could become
 * one.
 */
async function judgeWallet({ context, attempt }: SaleRun): Promise<Sale | null> {
  const { payment } = attempt
  const form = counterfactualForm(payment.signature)
  if (form === 'whole') return null
  return askChain<Sale | null>(
    context,
    async () => {
      if (form === 'none' && (await context.chain.hasCode(payment.authorization.from))) return null
      return unpaidExact(context, attempt, 'payment_invalid_signature')
    },
    () => declined('chain_unavailable'),
  )
}

/** Refuses while sales are paused, or after too many refused payments. */
function holdUp({ context, attempt }: SaleRun): Sale | null {
  const { refusals, pausedBy, now } = context
  const { key, call, recovered } = attempt
  const wait = waitOf(refusals, { payer: key.payer, client: call.client, isByPayer: recovered }, now())
  if (wait > 0) return declined('too_many_requests', wait)
  const pause = pausedBy()
  return pause === null ? null : declined(pause)
}

/**
 * A request without an answer counts against the client: it takes the facilitator's connections and costs the client
 * nothing.
 */
async function askFacilitator({ context, attempt }: SaleRun): Promise<Sale | null> {
  const { server, terms } = context
  try {
    const payload = settlementPayload(attempt, terms)
    const { isValid, invalidReason } = await server.verifyPayment(payload, payload.accepted)
    if (isValid === true) return null
    return unpaidExact(context, attempt, codeOfInvalidReason(invalidReason))
  } catch (error) {
    context.refusals.note(walletsOf(attempt.call.client), context.now())
    const symptom = symptomOf(error)
    const code = codeOfUnsent(symptom)
    context.report({ event: code, ...symptom })
    return declined(code)
  }
}
