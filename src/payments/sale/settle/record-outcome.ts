import { NO_LEASE, type PaymentChange, type PaymentRow } from '../../../ledger/payments/payment-row.ts'
import { StoreUnavailable } from '../../../ledger/store/store-unavailable.ts'
import { ifAnswered } from '../../chain/chain-reader.ts'
import { recordTime } from '../../chain/clocks.ts'
import { resolvePayment } from '../../recovery/resolve-payment.ts'
import { stateBefore } from '../claim/claim-payment.ts'
import { walletsOf } from '../limits/refusal-limiter.ts'
import { attachTask } from '../table/attach-task.ts'
import { codeOfUnsent, inDoubt, notSent, refused } from '../table/outcomes.ts'
import { answer, event, learned, type Next, type SaleContext, type SaleRun } from '../table/sale-context.ts'

/** Without the record, no verdict leaves this process. */
export async function record(run: SaleRun, row: PaymentRow): Promise<Next> {
  const settled = await recordSettled(run.context, row, run.transaction as string)
  if (settled !== null) return event('paid', settled)
  run.context.report({ event: 'settlement_not_recorded' })
  return answer(await inDoubt(run))
}

/**
 * Null if the store does not take it. The record waits for no flush: if the machine fails before the next one, the row
 * is as before, and the chain will tell. With a task it waits, because a task that was shown as completed must stay so.
 */
async function recordSettled(
  context: SaleContext,
  row: PaymentRow,
  transaction: string,
): Promise<PaymentRow | null> {
  const { ledger, timing } = context
  let seen: PaymentRow | null | undefined = row
  for (const pause of [...timing.recordPausesMs, 0]) {
    try {
      // A write that failed may have been made.
      seen ??= await ledger.find(row)
      if (seen === null || seen.state === 'settled') return seen
      const change = { state: 'settled', transaction, settledAt: recordTime(context), refusal: null } as const
      const move = seen.taskKey === null ? ledger.moveUnflushed : ledger.move
      const moved = await move(seen, { ...change, ...NO_LEASE })
      if (moved !== null) return moved
      seen = undefined
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      seen = undefined
      await timing.sleep(pause)
    }
  }
  return null
}

/** SETTLEMENT_PROOF=chain: the facilitator's word releases nothing. */
export async function awaitTransfer(run: SaleRun, row: PaymentRow): Promise<Next> {
  const { timing } = run.context
  const until = timing.monotonicMs() + timing.proofWaitMs
  while (timing.monotonicMs() < until) {
    const resolution = await ifAnswered(() => resolvePayment(run.context, row))
    if (resolution?.kind === 'settled') return event('paid', resolution.row)
    if (resolution?.kind === 'void') return event('voided', resolution.row)
    await timing.sleep(timing.proofLookMs)
  }
  // A success was reported, so an empty account is no reason to refuse.
  return learned('doubtful', row, { pending: true })
}

/**
 * Releases a row for which nothing was sent. If a transaction hash is noted, the row stays `settling`: after its
 * lease it is in doubt, and the chain is read.
 */
export async function releaseUnsent(run: SaleRun, row: PaymentRow): Promise<Next> {
  const { symptom = {} } = run
  run.context.report({ event: codeOfUnsent(symptom), ...symptom })
  const released = await release(run, row, stateBefore(row), { ifUnsent: true })
  return answer(released ? notSent(run.context, symptom) : await inDoubt(run))
}

export async function recordRefusal(run: SaleRun, row: PaymentRow): Promise<Next> {
  const { context, attempt } = run
  const refusal = run.refusal ?? 'payment_refused'
  context.refusals.note(attempt.key.payer, context.now())
  const released = await release(run, row, { state: 'refused', refusal })
  return answer(released ? refused(context, attempt, refusal) : await inDoubt(run))
}

export async function answerInDoubt(run: SaleRun, row: PaymentRow): Promise<Next> {
  return (await attachTask(run, row)) ?? answer(await inDoubt(run))
}

export async function recordDoubt(run: SaleRun, row: PaymentRow): Promise<Next> {
  const isDenied = run.denied && (row.state === 'settling' || row.doubt === 'denied')
  if (!isDenied) noteDoubt(run)
  await release(run, row, { state: 'in_doubt', doubt: isDenied ? 'denied' : null })
  return answer(await inDoubt(run))
}

/**
 * A contract wallet's code can make a settlement revert at the facilitator's cost. A refusal that the chain does not
 * confirm costs the facilitator as much as one that it confirms.
 */
function noteDoubt({ context, attempt, refusal }: SaleRun): void {
  const { key, call, recovered } = attempt
  if (recovered && refusal === undefined) return
  for (const name of recovered ? [key.payer] : [key.payer, walletsOf(call.client)])
    context.refusals.note(name, context.now())
}

/**
 * False if another process may be sending it by now. If the store fails, the row is certainly this process's only until
 * its lease ends.
 */
async function release(
  { context }: SaleRun,
  row: PaymentRow,
  change: PaymentChange,
  options?: { readonly ifUnsent: boolean },
): Promise<boolean> {
  try {
    return (await context.ledger.move(row, { ...change, ...NO_LEASE }, options)) !== null
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return row.leaseUntil > context.now()
  }
}
