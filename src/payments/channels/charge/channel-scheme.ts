import { ERRORS, type UnpaidCode } from '../../../errors.ts'
import type { ChannelRow, ChannelState } from '../../../ledger/channels/channel-row.ts'
import { ChainUnavailable, ifAnswered } from '../../chain/chain-reader.ts'
import type { Declined, Unpaid } from '../../ports/sale.ts'
import { nameOfCall } from '../../sale/purchase/purchased-call.ts'
import type { Scheme } from '../../sale/scheme.ts'
import { declined, inDoubtUntilRepeat, unpaid } from '../../sale/table/outcomes.ts'
import { type PaymentHandler, runSale } from '../../sale/table/run-sale.ts'
import { answer, newRun, READ_AGAIN } from '../../sale/table/sale-context.ts'
import { isOlder } from '../channel-balance.ts'
import {
  type ChannelContext,
  type ChannelNext,
  type ChannelRun,
  type ChannelView,
  chargeKey,
  type VoucherEvent,
} from '../channel-context.ts'
import { landDeposit, mayHaveLanded } from '../deposits/land-deposit.ts'
import { decodeChannelPayment, isChannelPayment } from '../voucher/decode-channel-payment.ts'
import { settlementOf } from './channel-receipt.ts'
import { closing, outOfStep } from './corrected-terms.ts'
import { observe } from './observe-voucher.ts'
import { answerAgain, answerTask, charge } from './write-charge.ts'

export const channelScheme = (context: ChannelContext): Scheme => ({
  takes: isChannelPayment,
  async read(call, quote, json) {
    const payment = decodeChannelPayment(json, context.prices.network.id)
    const refused = (code: UnpaidCode) => unpaid(context, { quote }, code)
    if (payment === null) return refused('payment_malformed')
    if (payment.kind === 'refund') return refused('payment_terms_mismatch')
    if (!(await context.judgeVoucher(payment))) return refused('payment_invalid_signature')
    const { voucher, kind, deposit } = payment
    const run: ChannelRun = {
      ...newRun(),
      context,
      attempt: { call, payment, quote, price: context.prices.amount * BigInt(call.items) },
      isDepositIn: deposit === undefined,
      transaction: null,
    }
    return {
      key: voucher.channelId,
      payment: String(voucher.amount),
      copy: () => [nameOfCall(call, chargeKey(payment)), voucher.amount, kind, deposit?.salt].join(' '),
      run: () => runSale(CHARGE, run),
      late: () => CHARGE.outOfTime(run),
    }
  },
})

/** How calls over channels are sold: a due voucher is charged in one durable write, every other one only answered. */
const CHARGE: PaymentHandler<ChannelRun, ChannelView, VoucherEvent, VoucherEvent> = {
  async begin(run) {
    const { context, attempt } = run
    const charged = attempt.call.task?.charged
    if (charged !== undefined) return answer(answerTask(attempt, charged))
    return observe(run, {
      row: await context.ledger.findChannel(attempt.payment.voucher.channelId),
      fresh: null,
    })
  },
  next: (_run, _view, event) => event,
  steps: {
    same: answerAgain,
    other: async ({ context }, { row }) => sayCharged(context, row, declined('payment_already_used')),
    late: async ({ context }, { row }) => sayCharged(context, row, declined('replay_window_over')),
    throttled: async ({ context, attempt }, { row }) => {
      const pause = context.mismatches.pauseMs(attempt.call.client, chargeKey(attempt.payment), context.now())
      const seconds = Math.max(1, Math.ceil(pause / 1000))
      return answer({
        ...declined('too_many_requests', seconds),
        settlement: settlementOf(context, row as ChannelRow),
      })
    },
    // The same answer to every call, right or wrong. It makes the client send its call with the next voucher, which only
    // the payer can sign.
    locked: async ({ context, attempt }, { row }) =>
      answer(outOfStep(context, attempt, row, 'payment_locked')),
    other_terms: (run) => refuse(run, unpaid(run.context, run.attempt, 'payment_terms_mismatch')),
    unread: (run, { row }) => orUnavailable(run, () => readChain(run, row)),
    out_of_step: async ({ context, attempt }, { row, fresh }) => {
      const isCurrent = row !== null && row.charged >= (fresh ?? row).totalClaimed
      return answer(outOfStep(context, attempt, isCurrent ? row : null))
    },
    deposit: (run, view) => orUnavailable(run, () => bringDeposit(run, view)),
    closing: async ({ attempt }) => answer(closing(attempt.quote)),
    exposed: (run) => refuse(run, declined('facilitator_unavailable')),
    due: charge,
  },
  // Another process has changed the channel already: nothing to wait for.
  lookMs: () => 0,
  async outOfTime({ context, attempt }) {
    const { channelId, amount } = attempt.payment.voucher
    const row = await context.ledger.findChannel(channelId)
    // The voucher has paid, perhaps for this very call: a corrected client would pay for it once more.
    if (row?.charged === amount) return inDoubtUntilRepeat()
    return outOfStep(context, attempt, row)
  },
  async inDoubt({ context }, error) {
    context.reportSale({ event: 'repeat_failed', error })
    return inDoubtUntilRepeat()
  },
}

/** The stock client also updates its account from the settlement of a refusal, so that its next voucher is in step. */
const sayCharged = (context: ChannelContext, row: ChannelRow | null, outcome: Declined): ChannelNext =>
  answer({ ...outcome, settlement: settlementOf(context, row as ChannelRow), final: true })

/** Rejects with ChainUnavailable also if the node is behind what the row knows. */
async function readChain(run: ChannelRun, row: ChannelRow | null): Promise<ChannelNext> {
  const fresh = await run.context.reader.state(run.attempt.payment.voucher.channelId)
  if (row !== null && isOlder(row, fresh, run.context.now())) throw new ChainUnavailable('the node is behind')
  return observe(run, { row, fresh })
}

async function bringDeposit(run: ChannelRun, { row, fresh }: ChannelView): Promise<ChannelNext> {
  const deposit = await landDeposit(run, (fresh ?? row) as ChannelState)
  if (deposit.kind === 'answer') return refuse(run, deposit.sale)
  const facts = { transaction: deposit.transaction, isDepositIn: true }
  const known = await run.context.ledger.findChannel(run.attempt.payment.voucher.channelId)
  const next = await readChain({ ...run, ...facts }, known)
  return next.kind === 'answer' ? next : { ...next, facts }
}

async function orUnavailable(run: ChannelRun, ask: () => Promise<ChannelNext>): Promise<ChannelNext> {
  return (await ifAnswered(ask)) ?? refuse(run, declined('chain_unavailable'))
}

/**
 * Answers a refusal, unless it would promise that nothing was charged although another replica has charged the voucher
 * meanwhile, or its deposit was sent and may be in the channel.
 */
async function refuse(run: ChannelRun, refusal: Declined | Unpaid): Promise<ChannelNext> {
  if (ERRORS[refusal.code].promise !== 'never') return answer(refusal)
  const { ledger } = run.context
  const { channelId, amount } = run.attempt.payment.voucher
  const row = await ledger.findChannel(channelId)
  if (row !== null && row.charged >= amount) return READ_AGAIN
  const isDoubtful = refusal.kind === 'declined' && (await mayHaveLanded(run))
  return answer(isDoubtful ? inDoubtUntilRepeat() : refusal)
}
