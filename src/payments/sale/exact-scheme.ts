import type { PaymentRow } from '../../ledger/payments/payment-row.ts'
import { differingMember } from '../authorization/accepts-terms.ts'
import { decodePayment, namesNetwork } from '../authorization/decode-payment.ts'
import { claim, claimUnread, takeOver } from './claim/claim-payment.ts'
import { accountOf } from './limits/account-shares.ts'
import { identifierOf } from './purchase/payment-identifier.ts'
import { nameOfCall } from './purchase/purchased-call.ts'
import { doubt, readRow } from './replay/observe-payment.ts'
import {
  answerExpired,
  answerLate,
  answerLocked,
  answerRefused,
  answerSold,
  answerThrottled,
  answerUnproven,
  answerUnsigned,
  answerUsed,
  answerUsedForAnother,
} from './replay/replay-payment.ts'
import type { Scheme } from './scheme.ts'
import { readBalance, readChain } from './settle/read-chain.ts'
import {
  answerInDoubt,
  awaitTransfer,
  record,
  recordDoubt,
  recordRefusal,
  releaseUnsent,
} from './settle/record-outcome.ts'
import { send, sendAgain, settle, tryAgain } from './settle/settle-payment.ts'
import { nextStep } from './table/next-step.ts'
import { inDoubt, mismatched, unpaid, unpaidExact } from './table/outcomes.ts'
import { type PaymentHandler, runSale } from './table/run-sale.ts'
import {
  type Attempt,
  event,
  type Next,
  newRun,
  READ_AGAIN,
  type SaleContext,
  type SaleRun,
} from './table/sale-context.ts'

export const exactScheme = (context: SaleContext): Scheme => ({
  takes: (json) => namesNetwork(json, context.terms.network),
  async read(call, quote, json) {
    const decoded = decodePayment(json, context.terms)
    if (decoded.kind === 'unpaid') {
      const { code, member } = decoded
      return member === undefined ? unpaid(context, { quote }, code) : mismatched(context, { quote }, member)
    }
    const judged = await context.judgeSignature(decoded.payment)
    if (judged.kind === 'out_of_form') {
      const member = differingMember(decoded.payment, context.terms, call, quote)
      if (member !== null) return mismatched(context, { quote }, member)
      return unpaidExact(context, { quote }, 'payment_invalid_signature')
    }
    const payment = { ...decoded.payment, signature: judged.signature }
    const { from: payer, nonce, validBefore } = payment.authorization
    const key = { network: context.terms.network.id, asset: payment.token.asset, payer, nonce }
    const identifier = identifierOf(context.keys, payment)
    const attempt: Attempt = { call, payment, quote, key, identifier, recovered: judged.kind === 'recovered' }
    const name = `${accountOf(key)}/${nonce}`
    return {
      key: name,
      payment: name,
      // Under another identifier the first request may be refused; a repeat of one that was sold is answered all the same.
      copy: () =>
        [
          nameOfCall(call, key),
          identifier.isMalformed || identifier.macs[0]?.toString('base64'),
          payment.signature,
          validBefore,
        ].join(' '),
      run: () =>
        runSale(EXACT, {
          ...newRun(),
          context,
          attempt,
          identifier,
          arrivedAt: context.now(),
          mayClaimUnread:
            context.newPayers.isNextOf(key) && attempt.recovered && identifier.macs.length === 0,
          isNewPayer: false,
          signatureAccepted: false,
          pending: false,
          denied: false,
        }),
      late: () => inDoubt({ context, attempt }),
    }
  },
})

type RowSteps = Readonly<Record<string, (run: SaleRun, row: PaymentRow) => Promise<Next>>>

/** Steps of a payment that has a row. */
const withRow = <Steps extends RowSteps>(steps: Steps) =>
  Object.fromEntries(
    Object.entries(steps).map(([name, step]) => [
      name,
      async (run: SaleRun, row: PaymentRow | null) => {
        if (row === null) throw new Error(`${name} needs the row of the payment`)
        return step(run, row)
      },
    ]),
  ) as { readonly [Name in keyof Steps]: (run: SaleRun, row: PaymentRow | null) => Promise<Next> }

/** How single payments are sold: the state table, and the function of each of its steps. */
const EXACT: PaymentHandler<SaleRun> = {
  begin: async () => event('unread', null),
  next: nextStep,
  steps: {
    claim_unread: claimUnread,
    read_row: readRow,
    claim,
    wait: async () => READ_AGAIN,
    ...withRow({
      take_over: takeOver,
      settle,
      send,
      doubt,
      record,
      await_transfer: awaitTransfer,
      release_unsent: releaseUnsent,
      record_refusal: recordRefusal,
      read_balance: readBalance,
      read_chain: readChain,
      try_again: tryAgain,
      send_again: sendAgain,
      answer_sold: answerSold,
      record_doubt: recordDoubt,
      answer_in_doubt: answerInDoubt,
      answer_unproven: answerUnproven,
      answer_unsigned: answerUnsigned,
      answer_used: answerUsed,
      answer_used_for_another: answerUsedForAnother,
      answer_expired: answerExpired,
      answer_refused: answerRefused,
      answer_throttled: answerThrottled,
      answer_locked: answerLocked,
      answer_late: answerLate,
    }),
  },
  lookMs: ({ context }) => context.timing.lookMs,
  outOfTime: inDoubt,
  async inDoubt(run, error) {
    run.context.report({ event: run.charge.sent ? 'settlement_not_recorded' : 'repeat_failed', error })
    return inDoubt(run)
  },
}
