import { NO_LEASE, type PaymentRow } from '../../../ledger/payment-row.ts'
import { type Resolution, resolvePayment } from '../../recovery/resolve-payment.ts'
import { isSamePurchase } from '../purchase/purchase.ts'
import { isWindowOver, REPLAY_WINDOWS, windowTime } from '../purchase/replay-window.ts'
import { askChain } from '../table/ask-chain.ts'
import { attachTask } from '../table/attach-task.ts'
import { declined, inDoubt, sold } from '../table/outcomes.ts'
import {
  answer,
  contextOn,
  LOOK_AGAIN,
  type Next,
  type SaleContext,
  type SaleRun,
} from '../table/sale-context.ts'

/** Refused rows of the same call that are looked up on the chain before a new payment of it. */
const MOST_REFUSED = 3

/**
 * Answers a new, verified authorization from an earlier payment of the same payer for the same call: one with the same
 * payment identifier, one whose settlement is under way or in doubt, or one whose answer never arrived. The new one is
 * then not settled. Null when this is simply another purchase.
 */
export async function reuseEarlierPayment(run: SaleRun): Promise<Next | null> {
  const { ledger, now } = run.context
  for (const identifier of run.attempt.identifiers) {
    const row = await ledger.findByIdentifier(identifier)
    if (row === null || !isOther(run, row)) continue
    if (!(await isSameCall(run, row))) return answer(declined('payment_identifier_conflict'))
    // A claim that no process works on was never sent; the store lets one row at a time settle under an identifier.
    const next = row.state === 'claimed' && row.leaseUntil <= now() ? null : await answerFrom(run, row)
    if (next !== null) return next
  }
  let refused = 0
  for (const row of await awaiting(run)) {
    if (row.state === 'refused') refused += 1
    if (refused > MOST_REFUSED) break
    const next = await answerFrom(run, row)
    if (next !== null) return next
  }
  return null
}

/** Another authorization of the payer for the same call, under way or in doubt or unanswered; null without one. */
export async function rivalOf(run: SaleRun): Promise<PaymentRow | null> {
  const rivals = await awaiting(run)
  return rivals.find(({ state }) => state !== 'refused') ?? null
}

/** Of two authorizations for one call, the one that has the right to be sent. */
export const isBefore = (one: PaymentRow, other: PaymentRow): boolean =>
  one.claimedAt === other.claimedAt ? orderOf(one) < orderOf(other) : one.claimedAt < other.claimedAt

/** A buyer may sign the same nonce on two networks. */
const orderOf = ({ nonce, network }: PaymentRow) => `${nonce} ${network}`

/**
 * The payer's other rows that may answer a new authorization for the same call; also one that was delivered after this
 * request came in.
 */
export async function awaiting(run: SaleRun): Promise<readonly PaymentRow[]> {
  const { ledger } = run.context
  const { call, key } = run.attempt
  const at = windowTime(run.context)
  const since = at - 2 * REPLAY_WINDOWS.undeliveredMs
  const found: PaymentRow[] = []
  for (const row of await ledger.unanswered(key.payer, call.type, since, run.arrivedAt)) {
    if (!isOther(run, row) || isWindowOver(row, at) || !(await isSameCall(run, row))) continue
    if (!(await isAbandoned(run, row))) found.push(row)
  }
  return found
}

/** Takes a claim whose lease is over from its owner, so that a slow owner cannot send it any more. */
async function isAbandoned({ context: { ledger, now } }: SaleRun, row: PaymentRow): Promise<boolean> {
  if (row.state !== 'claimed' || row.leaseUntil > now()) return false
  return (await ledger.move(row, NO_LEASE)) !== null
}

const isOther = ({ attempt: { key } }: SaleRun, row: PaymentRow) =>
  row.nonce !== key.nonce || row.payer !== key.payer || row.network !== key.network

const isSameCall = async ({ context, attempt: { call } }: SaleRun, row: PaymentRow) =>
  isSamePurchase(call, row) && (await context.bindings.isBoundTo(row, call.fingerprints))

async function answerFrom(run: SaleRun, row: PaymentRow): Promise<Next | null> {
  // Under a live lease a row is its owner's; its answer will be this one's.
  const isHeld = row.leaseUntil > run.context.now()
  switch (row.state) {
    case 'claimed':
      return LOOK_AGAIN
    case 'void':
      return null
    case 'settled':
      run.mayBeCharged = true
      return isWindowOver(row, windowTime(run.context)) ? null : answerSettled(run, row)
    case 'settling':
      run.mayBeCharged = true
      if (isHeld) return LOOK_AGAIN
      await run.context.ledger.move(row, { state: 'in_doubt', ...NO_LEASE })
      return LOOK_AGAIN
    case 'refused':
      return isHeld ? LOOK_AGAIN : answerRefused(run, row)
    case 'in_doubt':
      run.mayBeCharged = true
      return isHeld ? LOOK_AGAIN : answerDoubtful(run, row)
  }
}

async function answerSettled(run: SaleRun, row: PaymentRow): Promise<Next> {
  return (await attachTask(run, row)) ?? answer(await sold(run.context, run.attempt, row, true))
}

/** A refusal may have been wrong; if the chain does not show the payment, this is another purchase. */
async function answerRefused(run: SaleRun, row: PaymentRow): Promise<Next | null> {
  const resolution = await resolved(run.context, row)
  if (resolution?.kind !== 'settled') return null
  run.mayBeCharged = true
  return answerSettled(run, resolution.row)
}

async function answerDoubtful(run: SaleRun, row: PaymentRow): Promise<Next | null> {
  const resolution = await resolved(run.context, row)
  if (resolution?.kind === 'settled') return answerSettled(run, resolution.row)
  if (resolution?.kind === 'void') {
    run.mayBeCharged = false
    return null
  }
  return (await attachTask(run, row)) ?? answer(await inDoubt(run, row))
}

/** By the chain of its own network; null if that does not answer, or is not sold on any more. */
const resolved = (context: SaleContext, row: PaymentRow): Promise<Resolution | null> =>
  askChain<Resolution | null>(
    context,
    async () => {
      const there = contextOn(context, row.network)
      return there === null ? null : resolvePayment(there, row)
    },
    () => null,
  )
