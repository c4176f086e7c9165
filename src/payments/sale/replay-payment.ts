import { type PaymentRow, StoreUnavailable } from '../../ledger/ledger.ts'
import { judgeWindow } from '../authorization/validity-window.ts'
import { ChainUnavailable } from '../chain/chain-reader.ts'
import { type Resolution, resolvePayment } from '../recovery/resolve.ts'
import type { UnpaidCode } from '../sale.ts'
import { isBoundTo, sameIdentifier } from '../secrets/fingerprint.ts'
import { attachTask } from '../tasks/attach-task.ts'
import { claimOf } from './new-payment.ts'
import { declined, inDoubt, refused, sold } from './outcomes.ts'
import { checkPreconditions } from './preconditions.ts'
import { release } from './release-claim.ts'
import { pauseMs } from './replay-throttle.ts'
import {
  type Attempt,
  claimedTaskExpiry,
  LEASE_MS,
  REPLAY_WINDOW_MS,
  type SaleContext,
} from './sale-context.ts'
import { answerVoid } from './settle-payment.ts'
import { answer, type Step, stepOfClaim } from './step.ts'

/** How often a refused authorization may be tried, by the identical request. */
const MOST_TRIES_REFUSED = 3
/** How often a settlement in doubt is sent again before only the chain is asked. */
const MOST_TRIES_IN_DOUBT = 10

/**
 * Answers a request whose authorization has a row, from that row's state: never with a 402 while it may have been
 * charged, and never with a verdict for another type or value than was paid for.
 */
export async function replayPayment(context: SaleContext, attempt: Attempt, row: PaymentRow): Promise<Step> {
  // A row of our own with no run under way in this process is what a failed run left behind.
  if (row.leaseUntil > context.now() && row.owner !== context.owner) return { kind: 'look_again' }
  if (row.state === 'claimed') return takeOver(context, attempt, row)
  try {
    return await answerRepeat(context, attempt, row)
  } catch (error) {
    // It was sent once, so a store that fails now must not be told as "nothing was charged".
    if (!(error instanceof StoreUnavailable)) throw error
    return answer(inDoubt(attempt))
  }
}

async function answerRepeat(context: SaleContext, attempt: Attempt, row: PaymentRow): Promise<Step> {
  const now = context.now()
  const rest = pauseMs(row, now)
  const matches = isSameCall(context, attempt, row)
  await context.ledger.noteRepeat(row, !matches, now)
  if (rest > 0) return answer(declined('too_many_requests', Math.ceil(rest / 1000)))
  if (isWindowOver(row, now)) return answer(declined('replay_window_over'))
  if (!matches) return answer(declined('payment_already_used'))

  switch (row.state) {
    case 'settled':
      return (await attachTask(context, attempt, row)) ?? answer(sold(context, attempt, row, true))
    case 'dead':
      // That it was used before we claimed it was the node's word, and a node can be wrong for a while.
      return row.refusal === 'payment_already_used'
        ? reconsider(context, attempt, row)
        : answer(answerVoid(context, attempt, row))
    case 'settling':
      await context.ledger.move(row, { state: 'in_doubt', owner: null, leaseUntil: 0 })
      return { kind: 'look_again' }
    default:
      return reconsider(context, attempt, row)
  }
}

/** The value, the type, the identifier where the sale had one, and the task where the request names one. */
function isSameCall({ keys }: SaleContext, attempt: Attempt, row: PaymentRow): boolean {
  const { subject, key, identifiers } = attempt
  const bound = isBoundTo(keys, row, subject.fingerprints)
  const identified = sameIdentifier(row, identifiers)
  const task = subject.namesTask ? subject.taskFor(key)?.key === row.taskKey : true
  return bound && identified && task && isSameAuthorization(attempt, row)
}

/** One nonce can be signed over twice. The one with the later end could land when the row's is long dead. */
const isSameAuthorization = ({ payment }: Attempt, row: PaymentRow): boolean =>
  payment.authorization.validBefore === BigInt(row.validBefore)

const isWindowOver = (row: PaymentRow, now: number): boolean =>
  row.state === 'settled' && (row.binding === null || (row.settledAt ?? 0) + REPLAY_WINDOW_MS < now)

/** Nothing was ever sent under this row, so the request at hand may have it, whatever it asks for. */
async function takeOver(context: SaleContext, attempt: Attempt, row: PaymentRow): Promise<Step> {
  const { subject, key } = attempt
  if (!isSameAuthorization(attempt, row)) return answer(declined('payment_already_used'))
  const obstacle = await checkPreconditions(context, attempt)
  if (obstacle !== null) {
    // Where this process held it, another one need not wait for the lease to end.
    if (obstacle.kind === 'answer' && row.owner === context.owner)
      await release(context, row, { state: 'claimed' })
    return obstacle
  }
  const now = context.now()
  const attachment = subject.attachment(key, claimedTaskExpiry(row), now)
  return stepOfClaim(await context.ledger.reclaim(row, claimOf(context, attempt, now), attachment))
}

/** Asks the chain about a row that was refused or is in doubt; where it was not used, the request may try again. */
async function reconsider(context: SaleContext, attempt: Attempt, row: PaymentRow): Promise<Step> {
  let resolution: Resolution
  try {
    resolution = await resolvePayment(context, row)
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    context.report({ event: 'chain_unavailable' })
    return answer(inDoubt(attempt))
  }
  switch (resolution.kind) {
    case 'settled': {
      const kept = await attachTask(context, attempt, resolution.row)
      return kept ?? answer(sold(context, attempt, resolution.row, true))
    }
    case 'dead':
      return answer(answerVoid(context, attempt, resolution.row))
    case 'unexplained':
      return answer(row.state === 'dead' ? answerVoid(context, attempt, row) : inDoubt(attempt))
    case 'unused':
      if (row.state === 'dead') return answer(answerVoid(context, attempt, row))
      return (await mayNotTryAgain(context, attempt, row)) ?? tryAgain(context, row)
  }
}

async function mayNotTryAgain(context: SaleContext, attempt: Attempt, row: PaymentRow): Promise<Step | null> {
  if (row.state === 'refused') {
    if (row.attempts < MOST_TRIES_REFUSED) return checkPreconditions(context, attempt)
    return answer(refused(context, attempt, row.refusal as UnpaidCode))
  }
  const now = Math.floor(context.now() / 1000)
  const may =
    row.attempts < MOST_TRIES_IN_DOUBT &&
    judgeWindow(attempt.payment.authorization, now) === null &&
    context.maySettle()
  return may ? null : ((await attachTask(context, attempt, row)) ?? answer(inDoubt(attempt)))
}

async function tryAgain({ ledger, owner, now }: SaleContext, row: PaymentRow): Promise<Step> {
  const owned = await ledger.move(row, {
    owner,
    leaseUntil: now() + LEASE_MS,
    ...(row.state === 'in_doubt' ? { attempts: row.attempts + 1 } : {}),
  })
  if (owned === null) return { kind: 'look_again' }
  return { kind: row.state === 'refused' ? 'owned' : 'owned_in_doubt', row: owned }
}
