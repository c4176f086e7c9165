import { NO_LEASE, type PaymentRow } from '../../../ledger/payments/payment-row.ts'
import { windowTime } from '../../chain/clocks.ts'
import { type Resolution, resolvePayment } from '../../recovery/resolve-payment.ts'
import { isSamePurchase } from '../purchase/purchase.ts'
import { isWindowOver, REPLAY_WINDOWS } from '../purchase/replay-window.ts'
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
 * Answers a new, verified authorization from an earlier payment of the same payer for the same call, so that it is
 * not charged: one with the same payment identifier, under way, in doubt, or not yet answered. Null if this is simply
 * another purchase.
 */
export async function reuseEarlierPayment(run: SaleRun): Promise<Next | null> {
  const { ledger, now } = run.context
  for (const identifier of run.identifier.macs) {
    const row = await ledger.findByIdentifier(identifier)
    if (row === null || !isOther(run, row)) continue
    if (!(await isSameCall(run, row))) return answer(declined('payment_identifier_conflict'))
    // A claim without a live lease was never sent. The store lets one row at a time settle under an identifier.
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

/**
 * Answers another authorization for a task from the payment by the same payer that was taken for it: a buyer whose
 * authorization was not needed may repeat it. Null if the task has no such payment, or the signature is not known to be good.
 */
export async function reuseTaskPayment(run: SaleRun): Promise<Next | null> {
  const { call, key, recovered } = run.attempt
  const attachedTo = call.task?.attachedTo
  if (attachedTo === undefined || !(recovered || run.signatureAccepted)) return null
  const row = await run.context.ledger.find(attachedTo)
  if (row?.state !== 'settled' || row.payer !== key.payer || !isOther(run, row)) return null
  return (await isSameCall(run, row)) ? answerFrom(run, row) : null
}

export async function rivalOf(run: SaleRun): Promise<PaymentRow | null> {
  const rivals = await awaiting(run)
  return rivals.find(({ state }) => state !== 'refused') ?? null
}

/** Of two authorizations for one call, the first one may be sent. */
export const isBefore = (one: PaymentRow, other: PaymentRow): boolean =>
  one.claimedAt === other.claimedAt ? orderOf(one) < orderOf(other) : one.claimedAt < other.claimedAt

/** The same nonce may be signed on two networks. */
const orderOf = ({ nonce, network }: PaymentRow) => `${nonce} ${network}`

/** The payer's other rows that may answer this call, with those that were delivered after this request arrived. */
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

/** Takes a claim from its owner once the lease is over, so that a slow owner can no longer send it. */
async function isAbandoned({ context: { ledger, now } }: SaleRun, row: PaymentRow): Promise<boolean> {
  if (row.state !== 'claimed' || row.leaseUntil > now()) return false
  return (await ledger.move(row, NO_LEASE)) !== null
}

const isOther = ({ attempt: { key } }: SaleRun, row: PaymentRow) =>
  row.nonce !== key.nonce || row.payer !== key.payer || row.network !== key.network

const isSameCall = async ({ context, attempt: { call } }: SaleRun, row: PaymentRow) =>
  isSamePurchase(call, row) && (await context.bindings.isBoundTo(row, call.fingerprints))

async function answerFrom(run: SaleRun, row: PaymentRow): Promise<Next | null> {
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

/** A refusal may have been wrong: the chain decides. */
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

/** Null if the node does not answer, or nothing is sold on the row's network any more. */
const resolved = (context: SaleContext, row: PaymentRow): Promise<Resolution | null> =>
  askChain<Resolution | null>(
    context,
    async () => {
      const there = contextOn(context, row.network)
      return there === null ? null : resolvePayment(there, row)
    },
    () => null,
  )
