import type { PaymentRow } from '../../ledger/ledger.ts'
import { StoreUnavailable } from '../../ledger/ledger.ts'
import { ChainUnavailable, type Hex } from '../chain/chain-reader.ts'
import { resolvePayment } from '../recovery/resolve.ts'
import type { Sale, UnpaidCode } from '../sale.ts'
import { declined, inDoubt, refused, sold, unavailable, unpaid } from './outcomes.ts'
import { recordSettled } from './record-settled.ts'
import { release } from './release-claim.ts'
import { type Attempt, LEASE_MS, type SaleContext } from './sale-context.ts'
import { judgeFault, judgeSettlement, type SettleOutcome } from './settle-outcome.ts'
import { settlementPayload } from './settlement-payload.ts'

/**
 * Settles a row this process owns, for the first time or, after a refusal, again. The verdict is computed before
 * anything is sent, so that what is paid for exists; it leaves this process only with a recorded settlement.
 * Null when the row is not this process's to settle any more, and nothing was sent.
 */
export async function settlePayment(
  context: SaleContext,
  attempt: Attempt,
  row: PaymentRow,
): Promise<Sale | null> {
  attempt.subject.verdict()
  const settling = await startSettling(context, row)
  if (settling === null) return null
  return afterSending(context, attempt, async () => {
    const outcome = await trySettlement(context, attempt)
    switch (outcome.kind) {
      case 'settled':
        return answerSettled(context, attempt, settling, outcome.transaction)
      case 'not_sent':
        // Where its word does not do for a success, it does not do for this either.
        return context.proofOnChain && outcome.byItsWord
          ? answerFromChain(context, attempt, settling, { mayRefuse: false })
          : takeBack(context, attempt, row, settling)
      case 'refused':
        return context.proofOnChain
          ? answerFromChain(context, attempt, settling, { mayRefuse: true, refusal: outcome.code })
          : refuse(context, attempt, settling, outcome.code)
      case 'doubtful':
        context.report({ event: 'settlement_doubtful' })
        return answerFromChain(context, attempt, settling, { mayRefuse: !outcome.pending })
    }
  })
}

/**
 * Writes down that a settlement is about to be sent; null when the row is somebody else's by now. A store that fails
 * here may have taken the write or not: either way nothing was sent, so the row is let go of in both shapes, and no
 * other process has to wait for the lease to end.
 */
async function startSettling(context: SaleContext, row: PaymentRow): Promise<PaymentRow | null> {
  const settlingAt = context.now()
  const change = {
    state: 'settling',
    settlingAt,
    leaseUntil: settlingAt + LEASE_MS,
    attempts: row.attempts + 1,
  } as const
  try {
    return await context.ledger.move(row, change)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    const before = asBefore(row)
    if (!(await release(context, row, before))) await release(context, { ...row, ...change }, before)
    throw error
  }
}

/** The row as it was before a try that reached nobody; a refusal before it may still have been wrong. */
const asBefore = ({ state, attempts }: PaymentRow) =>
  ({ state: state === 'refused' ? 'refused' : 'claimed', attempts }) as const

/**
 * Sends a settlement again for a row in doubt, for a buyer who repeats his request. Whatever comes back, short of a
 * success, only the chain is believed: an earlier attempt may have landed.
 */
export async function resendSettlement(
  context: SaleContext,
  attempt: Attempt,
  row: PaymentRow,
): Promise<Sale> {
  return afterSending(context, attempt, async () => {
    const outcome = await trySettlement(context, attempt)
    return outcome.kind === 'settled'
      ? answerSettled(context, attempt, row, outcome.transaction)
      : answerFromChain(context, attempt, row, { mayRefuse: false })
  })
}

/** From the moment something may have been sent, a store that fails leaves the outcome in doubt. */
async function afterSending(
  { report }: SaleContext,
  attempt: Attempt,
  work: () => Promise<Sale>,
): Promise<Sale> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    report({ event: 'settlement_not_recorded' })
    return inDoubt(attempt)
  }
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
  const until = context.timing.monotonicMs() + context.timing.proofWaitMs
  while (context.timing.monotonicMs() < until) {
    try {
      const resolution = await resolvePayment(context, row)
      if (resolution.kind === 'settled') return sold(context, attempt, resolution.row, false)
      if (resolution.kind === 'dead') break
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error
    }
    await context.timing.sleep(context.timing.proofLookMs)
  }
  return answerFromChain(context, attempt, row, { mayRefuse: false })
}

async function takeBack(
  context: SaleContext,
  attempt: Attempt,
  before: PaymentRow,
  settling: PaymentRow,
): Promise<Sale> {
  context.report({ event: 'facilitator_unavailable' })
  const released = await release(context, settling, asBefore(before))
  return released ? unavailable('facilitator_unavailable') : inDoubt(attempt)
}

async function refuse(
  context: SaleContext,
  attempt: Attempt,
  row: PaymentRow,
  code: UnpaidCode,
): Promise<Sale> {
  context.refusals.note(attempt.key.payer, context.now())
  const released = await release(context, row, { state: 'refused', refusal: code })
  return released ? refused(context, attempt, code) : inDoubt(attempt)
}

/**
 * What the chain says of the row now; without a clear word it is, and stays, in doubt. With `mayRefuse` (sent once, and
 * no transaction is said to be under way) an authorization that is unused is refused: for the reason the facilitator
 * gave, or where the payer does not have the amount.
 */
async function answerFromChain(
  context: SaleContext,
  attempt: Attempt,
  row: PaymentRow,
  { mayRefuse, refusal }: { readonly mayRefuse: boolean; readonly refusal?: UnpaidCode },
): Promise<Sale> {
  try {
    const resolution = await resolvePayment(context, row)
    if (resolution.kind === 'settled') return sold(context, attempt, resolution.row, row.state !== 'settling')
    if (resolution.kind === 'dead') return answerVoid(context, attempt, resolution.row)
    if (mayRefuse && resolution.kind === 'unused') {
      const code = refusal ?? ((await cannotPay(context, row)) ? 'payment_insufficient_funds' : null)
      if (code !== null) return await refuse(context, attempt, row, code)
    }
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    context.report({ event: 'chain_unavailable' })
  }
  await release(context, row, { state: 'in_doubt' })
  return inDoubt(attempt)
}

/** The balance is read before the state: one that is low because this very payment has landed must not count. */
async function cannotPay({ chain, ledger }: SaleContext, row: PaymentRow): Promise<boolean> {
  if ((await chain.balance(row.payer as Hex)) >= row.amount) return false
  const isSigned = (await ledger.find(row))?.transaction != null
  return !isSigned && !(await chain.authorizationUsed(row.payer as Hex, row.nonce as Hex))
}

/** Nothing was charged under this authorization and nothing can be any more. */
export const answerVoid = (context: SaleContext, attempt: Attempt, row: PaymentRow): Sale =>
  row.refusal === 'payment_already_used'
    ? declined('payment_already_used')
    : unpaid(context, attempt, 'payment_expired')
