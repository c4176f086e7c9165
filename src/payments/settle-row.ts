import { setTimeout as sleep } from 'node:timers/promises'
import type { PaymentRow } from '../ledger/ledger.ts'
import { StoreUnavailable } from '../ledger/ledger.ts'
import { ChainUnavailable, type Hex } from './chain/chain-reader.ts'
import { declined, inDoubt, refused, sold, unavailable, unpaid } from './outcomes.ts'
import { recordSettled } from './record-settled.ts'
import { resolveRow } from './resolve.ts'
import type { Sale, UnpaidCode } from './sale.ts'
import type { Attempt, SaleContext } from './sale-context.ts'
import { judgeFault, judgeSettlement, type SettleOutcome } from './settle-outcome.ts'
import { settlementPayload } from './settlement-payload.ts'

/**
 * Settles a row this process owns, for the first time or, after a refusal, again. The verdict is computed before
 * anything is sent, so that what is paid for exists; it leaves this process only with a recorded settlement.
 */
export async function settleRow(context: SaleContext, attempt: Attempt, row: PaymentRow): Promise<Sale> {
  attempt.subject.verdict()
  const settling = await context.ledger.move(row, {
    state: 'settling',
    settlingAt: context.now(),
    attempts: row.attempts + 1,
  })
  // Somebody else holds the row now; nothing was sent from here.
  if (settling === null) return inDoubt(attempt)
  const outcome = await trySettlement(context, attempt)
  switch (outcome.kind) {
    case 'settled':
      return answerSettled(context, attempt, settling, outcome.transaction)
    case 'not_sent':
      context.report({ event: 'facilitator_unavailable' })
      await release(context, settling, { state: 'claimed' })
      return unavailable('facilitator_unavailable')
    case 'refused':
      return refuse(context, attempt, settling, outcome.code)
    case 'doubtful':
      context.report({ event: 'settlement_doubtful' })
      return answerFromChain(context, attempt, settling)
  }
}

/**
 * Sends a settlement again for a row in doubt, for a buyer who repeats his request. Whatever comes back, short of a
 * success, only the chain is believed: an earlier attempt may have landed.
 */
export async function resendSettlement(
  context: SaleContext,
  attempt: Attempt,
  row: PaymentRow,
): Promise<Sale> {
  const outcome = await trySettlement(context, attempt)
  return outcome.kind === 'settled'
    ? answerSettled(context, attempt, row, outcome.transaction)
    : answerFromChain(context, attempt, row)
}

/** One call to the facilitator, judged; never throws. */
async function trySettlement({ server, terms }: SaleContext, attempt: Attempt): Promise<SettleOutcome> {
  try {
    const reply = await server.settlePayment(settlementPayload(attempt, terms), terms.requirements)
    return judgeSettlement(reply, attempt.payment, terms)
  } catch (error) {
    return judgeFault(error)
  }
}

async function answerSettled(
  context: SaleContext,
  attempt: Attempt,
  row: PaymentRow,
  transaction: string,
): Promise<Sale> {
  if (context.proofOnChain) return awaitProof(context, attempt, row)
  const settled = await recordSettled(context, row, transaction)
  if (settled !== null) return sold(context, attempt, settled, false)
  context.report({ event: 'settlement_not_recorded' })
  return inDoubt(attempt)
}

/** Waits for the transfer itself: the facilitator's word alone releases nothing. */
async function awaitProof(context: SaleContext, attempt: Attempt, row: PaymentRow): Promise<Sale> {
  const until = context.now() + context.timing.proofWaitMs
  while (context.now() < until) {
    try {
      const resolution = await resolveRow(context, row)
      if (resolution.kind === 'settled') return sold(context, attempt, resolution.row, false)
      if (resolution.kind === 'dead') break
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error
    }
    await sleep(context.timing.proofLookMs)
  }
  return answerFromChain(context, attempt, row)
}

async function refuse(
  context: SaleContext,
  attempt: Attempt,
  row: PaymentRow,
  code: UnpaidCode,
): Promise<Sale> {
  context.refusals.note(attempt.key.payer, context.now())
  await release(context, row, { state: 'refused', refusal: code })
  return refused(context, attempt, code)
}

/**
 * What the chain says of the row now; without a clear word it is, and stays, in doubt. Unused by a payer who does not
 * hold the amount is a refusal, as long as nothing was sent twice.
 */
export async function answerFromChain(
  context: SaleContext,
  attempt: Attempt,
  row: PaymentRow,
): Promise<Sale> {
  try {
    const resolution = await resolveRow(context, row)
    if (resolution.kind === 'settled') return sold(context, attempt, resolution.row, row.state !== 'settling')
    if (resolution.kind === 'dead') return answerDead(context, attempt, resolution.row)
    if (resolution.kind === 'unused' && row.state === 'settling') {
      const balance = await context.chain.balance(row.payer as Hex)
      if (balance < row.amount) return refuse(context, attempt, row, 'payment_insufficient_funds')
    }
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    context.report({ event: 'chain_unavailable' })
  }
  await release(context, row, { state: 'in_doubt' })
  return inDoubt(attempt)
}

/** Nothing was charged under this authorization and nothing can be any more. */
export const answerDead = (context: SaleContext, attempt: Attempt, row: PaymentRow): Sale =>
  row.refusal === 'payment_already_used'
    ? declined('payment_already_used')
    : unpaid(context, attempt, 'payment_expired')

/** Lets go of a row this process owned; a store that does not take it leaves the row to its lease. */
async function release(
  { ledger }: SaleContext,
  row: PaymentRow,
  change: { readonly state: 'claimed' | 'refused' | 'in_doubt'; readonly refusal?: string },
): Promise<void> {
  try {
    await ledger.move(row, { ...change, owner: null, leaseUntil: 0 })
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
  }
}
