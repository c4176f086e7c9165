import type { UnpaidCode } from '../../../errors.ts'
import { LEASE_MS, type PaymentRow } from '../../../ledger/payments/payment-row.ts'
import { settlementPayload } from '../../authorization/settlement-payload.ts'
import { guardNotCharged } from '../claim/guard-not-charged.ts'
import { checkPreconditions } from '../claim/preconditions.ts'
import { isBefore, reuseEarlierPayment, rivalOf } from '../claim/reuse-earlier-payment.ts'
import { refuseByTime } from '../table/refuse-by-time.ts'
import { answer, event, learned, type Next, READ_AGAIN, type SaleRun } from '../table/sale-context.ts'
import { judgeFault, judgeSettlement, type SettleOutcome } from '../table/settle-outcome.ts'

/**
 * A lost sale can have caused these: its payment may have emptied the account, or used an authorization that is over.
 */
const MAY_BE_PAID: ReadonlySet<UnpaidCode> = new Set(['payment_insufficient_funds', 'payment_expired'])

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
  return settling === null ? READ_AGAIN : send(run, settling)
}

export async function send(run: SaleRun, row: PaymentRow): Promise<Next> {
  run.charge.sent = true
  const outcome = await trySettlement(run)
  switch (outcome.kind) {
    case 'settled':
      return learned('accepted', row, { transaction: outcome.transaction })
    case 'not_sent':
      return learned(outcome.answered ? 'doubtful' : 'not_sent', row, {
        denied: true,
        symptom: outcome.symptom,
      })
    case 'refused': {
      const isDoubtful = run.context.proofOnChain || MAY_BE_PAID.has(outcome.code)
      return learned(isDoubtful ? 'doubtful' : 'refused', row, { refusal: outcome.code })
    }
    case 'doubtful':
      return learned('doubtful', row, { pending: outcome.pending, symptom: outcome.symptom })
  }
}

async function trySettlement({ context, attempt, isNewPayer }: SaleRun): Promise<SettleOutcome> {
  const payload = settlementPayload(attempt, context.terms)
  const leave = isNewPayer ? context.newPayers.enter() : undefined
  try {
    const reply = await context.server.settlePayment(payload, payload.accepted)
    const outcome = judgeSettlement(reply, payload.accepted, attempt.key.payer)
    const hasFailed = outcome.kind === 'doubtful' && !outcome.pending
    const { client } = attempt.call
    if (isNewPayer && hasFailed && client !== '') context.newPayers.failures.note(client, context.now())
    return outcome
  } catch (error) {
    return judgeFault(error)
  } finally {
    leave?.()
  }
}

/** The buyer may have topped up. */
export async function tryAgain(run: SaleRun, row: PaymentRow): Promise<Next> {
  const obstacle = await checkPreconditions(run)
  if (obstacle !== null) return guardNotCharged(run, row, obstacle)
  const owned = await lease(run, row, {})
  if (owned === null) return READ_AGAIN
  const late = refuseByTime(run)
  return late === null ? event('owned', owned) : guardNotCharged(run, owned, answer(late))
}

/** Sends a settlement again when its request is repeated; only a success is believed. */
export async function sendAgain(run: SaleRun, row: PaymentRow): Promise<Next> {
  const rival = await rivalOf(run)
  if (rival?.state === 'settled') return (await reuseEarlierPayment(run)) ?? event('preceded', row)
  // The other may land late, so of two in doubt for one call only the first is sent again.
  if (rival !== null && isBefore(rival, row)) return event('preceded', row)
  run.attempt.call.verdicts()
  const owned = await lease(run, row, { attempts: row.attempts + 1 })
  return owned === null ? READ_AGAIN : send(run, owned)
}

const lease = ({ context }: SaleRun, row: PaymentRow, change: { attempts?: number }) =>
  context.ledger.move(row, { owner: context.owner, leaseUntil: context.now() + LEASE_MS, ...change })
