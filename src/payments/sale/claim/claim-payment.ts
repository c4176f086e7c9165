import type { ClaimOutcome } from '../../../ledger/ledger.ts'
import { type NewPayment, NO_LEASE, type PaymentRow, type SeenPayment } from '../../../ledger/payment-row.ts'
import { StoreUnavailable } from '../../../ledger/store-unavailable.ts'
import { acceptsTerms } from '../../authorization/accepts-terms.ts'
import { claimedTaskExpiry } from '../purchase/replay-window.ts'
import { notClaimed, unpaid } from '../table/outcomes.ts'
import {
  answer,
  event,
  LEASE_MS,
  LOOK_AGAIN,
  type Next,
  type SaleRun,
  SETTLEMENT_MS,
} from '../table/sale-context.ts'
import { untimely } from '../table/untimely.ts'
import { checkNewcomer } from './check-newcomer.ts'
import { fenced, fencedUnseen, unlessUsed } from './fence.ts'
import { checkPreconditions, isClear } from './preconditions.ts'
import { awaiting, isBefore, rivalOf } from './reuse-earlier-payment.ts'
import { signatureMac } from './signature-mac.ts'

/**
 * Claims a payment before the ledger is read at all: two statements in place of four. Only for a payer that has paid
 * here and a nonce that this process has not seen, since for every other payment a row would be written in vain. Null if
 * the ledger must be read: for what stops the payment, for its row, or for another payment of the call that goes first.
 */
export async function claimAtOnce(run: SaleRun): Promise<Next | null> {
  const { newcomers, terms } = run.context
  const { call, identifiers, key, payment, recovered } = run.attempt
  if (!newcomers.isNextOf(key) || !recovered || identifiers.length > 0) return null
  if (!acceptsTerms(payment, terms, call.items) || !(await isClear(run))) return null
  const outcome = await writeClaim(run)
  if (outcome.kind !== 'claimed') return null
  const { row } = outcome
  const others = await orRelease(run, row, () => awaiting(run))
  if (others.length === 0 && mayBeSentAtOnce(run, row)) return sendInTime(run, row)
  await release(run, row)
  // Else each new signature for a call that was paid for would leave a row, at no cost to who signs.
  newcomers.forget(key)
  return null
}

/**
 * Writes an authorization that the ledger has never seen down as about to be settled, unless a precondition fails. The
 * verdicts are computed before that, so that what is paid for exists. This is the one write a sale waits for: a
 * settlement leaves only with its row on disk, so that no crash makes a charge unknown.
 */
export async function claim(run: SaleRun): Promise<Next> {
  const { context, attempt } = run
  const { call, payment } = attempt
  if (!acceptsTerms(payment, context.terms, call.items))
    return answer(unpaid(context, attempt, 'payment_terms_mismatch'))
  const obstacle = (await checkPreconditions(run)) ?? (await checkNewcomer(run))
  if (obstacle !== null) return fencedUnseen(run, obstacle)
  return afterClaim(run, await writeClaim(run))
}

async function writeClaim(run: SaleRun): Promise<ClaimOutcome> {
  const { context, attempt } = run
  const { call, key, payment } = attempt
  call.verdicts()
  const now = context.now()
  const { value, to, validBefore } = payment.authorization
  const row: NewPayment = {
    ...key,
    ...(await claimOf(run, now)),
    amount: value,
    payTo: to,
    validBefore: Number(validBefore),
    claimedAt: Math.min(now, context.chainTime() ?? now),
    claimedBlock: context.headNumber(),
    settlingAt: now,
  }
  const written = { ...row, state: 'settling', attempts: 1, refusal: null } as const
  const attachment = call.attachment({ key, expiresAt: claimedTaskExpiry(row), now })
  return orRelease(run, written, () => context.ledger.claim(row, attachment))
}

/**
 * A store that fails before anything is sent may have taken the row or not. It is released if it is there, so that
 * neither this call nor another waits for the lease to end.
 */
async function orRelease<T>(run: SaleRun, row: Held, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    if (row.state === 'settling')
      await release(run, row).catch((again: unknown) => {
        if (!(again instanceof StoreUnavailable)) throw again
      })
    throw error
  }
}

/** Nothing was ever sent under this row, so the request at hand may have it, whatever it asks for. */
export async function takeOver(run: SaleRun, row: PaymentRow): Promise<Next> {
  const { context, attempt } = run
  const { ledger } = context
  const obstacle = await checkPreconditions(run)
  if (obstacle !== null) return unlessUsed(run, await fenced(run, row, obstacle))
  const now = context.now()
  const { call, key } = attempt
  const attachment = call.attachment({ key, expiresAt: claimedTaskExpiry(row), now })
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

const afterClaim = async (run: SaleRun, outcome: ClaimOutcome): Promise<Next> =>
  outcome.kind === 'claimed' ? yieldToRival(run, outcome.row) : notClaimed(outcome)

/**
 * Of several new authorizations of one payer for the same call at the same moment, on whatever replicas, one is sent
 * and the others wait for its answer. Each claims first and looks for the others after that, so at least one of two
 * sees the other. A row that may be sent at once yields to whatever it sees. Of two that come again as claims, one that
 * sees an earlier claim releases its own; the earlier one waits until the other has done so.
 */
async function yieldToRival(run: SaleRun, row: PaymentRow): Promise<Next> {
  const { timing } = run.context
  const until = timing.monotonicMs() + Math.min(timing.waitMs, LEASE_MS / 2)
  for (;;) {
    const rival = await orRelease(run, row, () => rivalOf(run))
    if (rival === null && mayBeSentAtOnce(run, row)) return sendInTime(run, row)
    const isFirst = row.state === 'claimed' && rival?.state === 'claimed' && isBefore(row, rival)
    if (!isFirst || timing.monotonicMs() > until) {
      await release(run, row)
      return LOOK_AGAIN
    }
    await timing.sleep(timing.lookMs)
  }
}

async function sendInTime(run: SaleRun, row: PaymentRow): Promise<Next> {
  const late = untimely(run)
  if (late === null) return event('owned', row)
  return (await release(run, row)) === null ? LOOK_AGAIN : unlessUsed(run, answer(late))
}

/** A row that was written slowly has too little of its lease left; a claim takes a new lease before it is sent. */
const mayBeSentAtOnce = ({ context }: SaleRun, row: PaymentRow): boolean =>
  row.state === 'claimed' || row.leaseUntil - context.now() > SETTLEMENT_MS

type Held = SeenPayment & Pick<PaymentRow, 'attempts' | 'refusal'>

/** Nothing was sent under the row. */
const release = ({ context }: SaleRun, row: Held) =>
  context.ledger.move(row, {
    ...(row.state === 'settling' ? stateBefore(row) : {}),
    ...NO_LEASE,
  })

/** The row before a settlement that reached no facilitator; an earlier refusal of it may still have been wrong. */
export const stateBefore = ({ refusal, attempts }: Pick<PaymentRow, 'refusal' | 'attempts'>) =>
  ({ state: refusal === null ? 'claimed' : 'refused', attempts: attempts - 1 }) as const
