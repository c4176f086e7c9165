import type { NewPayment } from '../../../ledger/payments/new-payment.ts'
import { LEASE_MS, NO_LEASE, type PaymentRow } from '../../../ledger/payments/payment-row.ts'
import type { ClaimOutcome } from '../../../ledger/tasks/claim.ts'
import { differingMember } from '../../authorization/accepts-terms.ts'
import { claimedTaskExpiry } from '../purchase/replay-window.ts'
import { mismatched, notClaimed } from '../table/outcomes.ts'
import { refuseByTime } from '../table/refuse-by-time.ts'
import {
  answer,
  event,
  learned,
  type Next,
  READ_AGAIN,
  type SaleRun,
  SETTLEMENT_MS,
} from '../table/sale-context.ts'
import { checkNewPayer } from './check-new-payer.ts'
import { checkUnused, guardNotCharged, guardUnseen } from './guard-not-charged.ts'
import { checkPreconditions, isClear } from './preconditions.ts'
import { earlierPayments, isBefore, reuseTaskPayment, rivalOf } from './reuse-earlier-payment.ts'
import { signatureMac } from './signature-mac.ts'

/**
 * Claims a payment without reading the ledger first, which saves two of four statements. Only for a payer that has
 * paid here before and a nonce that this process has not seen: for any other payment the row is likely to be written
 * in vain.
 */
export async function claimUnread(run: SaleRun): Promise<Next> {
  const raced = learned('raced', null, { mayClaimUnread: false })
  if (!(await isClear(run))) return raced
  const outcome = await writeClaim(run)
  if (outcome.kind !== 'claimed') return raced
  const { row } = outcome
  const others = await releaseOnError(run, row, () => earlierPayments(run))
  if (others.length === 0 && mayBeSentAtOnce(run, row)) return sendInTime(run, row)
  await release(run, row, others.length > 0)
  // Otherwise each new signature for a call that is already paid for would leave a row, at no cost to its signer.
  run.context.newPayers.forget(run.attempt.key)
  return raced
}

/**
 * The verdicts are computed first, so that what is paid for exists. The settlement is sent only once the row is on
 * disk, so that no crash makes a charge unknown; no other write delays a sale.
 */
export async function claim(run: SaleRun): Promise<Next> {
  const { context, attempt } = run
  const { call, payment, quote } = attempt
  const member = differingMember(payment, context.terms, call, quote)
  if (member !== null) return answer(mismatched(context, attempt, member))
  const earlier = await reuseTaskPayment(run)
  if (earlier !== null) return earlier
  const unready = await checkPreconditions(run)
  if (unready !== null) return guardUnseen(run, unready)
  const isNewPayer = await context.newPayers.includes(attempt.key)
  const obstacle = isNewPayer ? await checkNewPayer(run) : null
  if (obstacle !== null) return guardUnseen(run, obstacle)
  const next = await afterClaim(run, await writeClaim(run))
  return next.kind === 'answer' ? next : { ...next, facts: { isNewPayer } }
}

async function writeClaim(run: SaleRun): Promise<ClaimOutcome> {
  const { context, attempt } = run
  const { call, key } = attempt
  call.verdicts()
  const now = context.now()
  const { value, to, validBefore } = attempt.payment.authorization
  const payment: NewPayment = {
    ...key,
    ...(await claimOf(run, now)),
    amount: value,
    payTo: to,
    origin: 'sale',
    validBefore: Number(validBefore),
    claimedAt: Math.min(now, context.chainTime() ?? now),
    claimedBlock: context.headNumber(),
    settlingAt: now,
  }
  const attachment = call.task?.attachment({ key, expiresAt: claimedTaskExpiry(payment), now })
  const written = { ...payment, state: 'settling', attempts: 1, refusal: null } as const
  return releaseOnError(run, written, () => context.ledger.claim(payment, attachment))
}

/**
 * Whatever fails before anything is sent, the store may have the row. It is released, so that no call must wait for the
 * end of its lease.
 */
async function releaseOnError<T>(run: SaleRun, row: OwnRow, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    await release(run, row).catch(() => {})
    throw error
  }
}

/** Nothing was ever sent under this row, so any call may take it. */
export async function takeOver(run: SaleRun, row: PaymentRow): Promise<Next> {
  const { context, attempt } = run
  const { ledger } = context
  const earlier = await reuseTaskPayment(run)
  if (earlier !== null) return earlier
  const obstacle = await checkPreconditions(run)
  if (obstacle !== null) return checkUnused(run, await guardNotCharged(run, row, obstacle))
  const now = context.now()
  const { call, key } = attempt
  const attachment = call.task?.attachment({ key, expiresAt: claimedTaskExpiry(row), now })
  const change = { ...(await claimOf(run, now)), doubt: null }
  return afterClaim(run, await ledger.reclaim(row, change, attachment))
}

export async function claimOf({ context, attempt, identifier }: SaleRun, now: number) {
  const { call, key, payment, recovered } = attempt
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
    identifier: identifier.macs[0] ?? null,
    taskKey: call.task?.of(key).key ?? null,
  }
}

const afterClaim = async (run: SaleRun, outcome: ClaimOutcome): Promise<Next> =>
  outcome.kind === 'claimed' ? yieldToRival(run, outcome.row) : notClaimed(outcome)

/**
 * Of several new authorizations of a payer for one call, one is sent and the others wait for its answer. All replicas
 * claim first and then look, so at least one of two sees the other. A row that may be sent at once yields to every
 * other; of two claims the later one is released first.
 */
async function yieldToRival(run: SaleRun, row: PaymentRow): Promise<Next> {
  const { timing } = run.context
  const until = timing.monotonicMs() + Math.min(timing.waitMs, LEASE_MS / 2)
  for (;;) {
    const rival = await releaseOnError(run, row, () => rivalOf(run))
    if (rival === null && mayBeSentAtOnce(run, row)) return sendInTime(run, row)
    const isFirst = row.state === 'claimed' && rival?.state === 'claimed' && isBefore(row, rival)
    if (!isFirst || timing.monotonicMs() > until) {
      await release(run, row, rival !== null)
      return READ_AGAIN
    }
    await timing.sleep(timing.lookMs)
  }
}

async function sendInTime(run: SaleRun, row: PaymentRow): Promise<Next> {
  const late = refuseByTime(run)
  if (late === null) return event('owned', row)
  return (await release(run, row)) === null ? READ_AGAIN : checkUnused(run, answer(late))
}

/**
 * A row that was written slowly has too little of its lease left; as a claim it gets a new lease before it is sent.
 */
const mayBeSentAtOnce = ({ context }: SaleRun, row: PaymentRow): boolean =>
  row.state === 'claimed' || row.leaseUntil - context.now() > SETTLEMENT_MS

/** A row that was claimed here, read back or not. */
type OwnRow = NewPayment & Pick<PaymentRow, 'state' | 'attempts' | 'refusal'>

/** `isUnneeded`: another payment is taken for the call. */
const release = ({ context }: SaleRun, row: OwnRow, isUnneeded = false) =>
  context.ledger.move(row, {
    ...(row.state === 'settling' ? stateBefore(row) : {}),
    ...(isUnneeded && { doubt: 'not_needed' }),
    ...NO_LEASE,
  })

/** The state before a settlement that never left; a refusal that was recorded before it may have been wrong. */
export const stateBefore = ({ refusal, attempts }: Pick<PaymentRow, 'refusal' | 'attempts'>) =>
  ({ state: refusal === null ? 'claimed' : 'refused', attempts: attempts - 1 }) as const
