import type { UnpaidCode } from '../../../errors.ts'
import { LEASE_MS, type PaymentRow } from '../../../ledger/payments/payment-row.ts'
import { settlementPayload } from '../../authorization/settlement-payload.ts'
import { guardNotCharged } from '../claim/guard-not-charged.ts'
import { checkPreconditions } from '../claim/preconditions.ts'
import { isBefore, reuseEarlierPayment, rivalOf } from '../claim/reuse-earlier-payment.ts'
import { answer, event, LOOK_AGAIN, type Next, type SaleRun } from '../table/sale-context.ts'
import { judgeFault, judgeSettlement, type SettleOutcome } from '../table/settle-outcome.ts'
import { untimely } from '../table/untimely.ts'

const MOST_TRIES_REFUSED = 3
/** How often a doubtful settlement is sent before only the chain is read. */
const MOST_TRIES_IN_DOUBT = 10

/**
 * Reasons that a lost sale can have caused: the account may be empty because of this very payment, and an
 * authorization that is over may have been used for it.
 */
const MAY_BE_PAID: ReadonlySet<UnpaidCode> = new Set(['payment_insufficient_funds', 'payment_expired'])

/** The verdicts are computed before anything is sent, so that what is paid for exists. */
export async function settle(run: SaleRun, row: PaymentRow): Promise<Next> {
  const { ledger, now } = run.context
  run.attempt.call.verdicts()
  const settlingAt = now()
  const settling = await ledger.move(row, {
    state: 'settling',
    settlingAt,
    leaseUntil: settlingAt + LEASE_MS,
    attempts: row.attempts + 1,
  })
  return settling === null ? LOOK_AGAIN : send(run, settling)
}

export async function send(run: SaleRun, row: PaymentRow): Promise<Next> {
  run.sent = true
  const outcome = await trySettlement(run)
  switch (outcome.kind) {
    case 'settled':
      run.transaction = outcome.transaction
      return event('accepted', row)
    case 'not_sent':
      run.denied = true
      run.symptom = outcome.symptom
      return event(outcome.byItsWord ? 'doubtful' : 'not_sent', row)
    case 'refused':
      run.refusal = outcome.code
      return event(run.context.proofOnChain || MAY_BE_PAID.has(outcome.code) ? 'doubtful' : 'refused', row)
    case 'doubtful':
      run.pending = outcome.pending
      run.symptom = outcome.symptom
      return event('doubtful', row)
  }
}

async function trySettlement({ context, attempt, isNewcomer }: SaleRun): Promise<SettleOutcome> {
  const payload = settlementPayload(attempt, context.terms)
  const leave = isNewcomer ? context.newcomers.enter() : undefined
  try {
    const reply = await context.server.settlePayment(payload, payload.accepted)
    const outcome = judgeSettlement(reply, payload.accepted, attempt.key.payer)
    const hasFailed = outcome.kind === 'doubtful' && !outcome.pending
    const { client } = attempt.call
    if (isNewcomer && hasFailed && client !== '') context.newcomers.failures.note(client, context.now())
    return outcome
  } catch (error) {
    return judgeFault(error)
  } finally {
    leave?.()
  }
}

/** The buyer may have topped up. */
export async function tryAgain(run: SaleRun, row: PaymentRow): Promise<Next> {
  if (row.attempts >= MOST_TRIES_REFUSED) return event('exhausted', row)
  const obstacle = await checkPreconditions(run)
  if (obstacle !== null) return guardNotCharged(run, row, obstacle)
  const owned = await lease(run, row, {})
  if (owned === null) return LOOK_AGAIN
  const late = untimely(run)
  return late === null ? event('owned', owned) : guardNotCharged(run, owned, answer(late))
}

/** Sends a settlement again when its request is repeated; only a success is believed. */
export async function sendAgain(run: SaleRun, row: PaymentRow): Promise<Next> {
  const { context } = run
  if (run.sent) return event('unknown', row)
  const may = row.attempts < MOST_TRIES_IN_DOUBT && untimely(run) === null && context.pausedBy() === null
  if (!may) return event('exhausted', row)
  const rival = await rivalOf(run)
  if (rival?.state === 'settled') return (await reuseEarlierPayment(run)) ?? event('exhausted', row)
  // The other may land late, so of two in doubt for one call only the first is sent again.
  if (rival !== null && isBefore(rival, row)) return event('exhausted', row)
  run.attempt.call.verdicts()
  const owned = await lease(run, row, { attempts: row.attempts + 1 })
  return owned === null ? LOOK_AGAIN : send(run, owned)
}

const lease = ({ context }: SaleRun, row: PaymentRow, change: { attempts?: number }) =>
  context.ledger.move(row, { owner: context.owner, leaseUntil: context.now() + LEASE_MS, ...change })
