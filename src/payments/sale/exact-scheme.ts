import { differingMember } from '../authorization/accepts-terms.ts'
import { decodePayment, namesNetwork } from '../authorization/decode-payment.ts'
import { claim, claimAtOnce, takeOver } from './claim/claim-payment.ts'
import { accountOf } from './limits/account-shares.ts'
import { identifierOf } from './purchase/payment-identifier.ts'
import { nameOfCall } from './purchase/purchased-call.ts'
import { doubt, observe } from './replay/observe-payment.ts'
import {
  answerSold,
  sayLate,
  sayLocked,
  sayRefused,
  sayThrottled,
  sayUsed,
  sayUsedForAnother,
  sayVoid,
} from './replay/replay-payment.ts'
import type { Scheme } from './sell.ts'
import { readChain, weighRefusal } from './settle/read-chain.ts'
import { letGo, markRefused, record, sayInDoubt } from './settle/record-outcome.ts'
import { send, sendAgain, settle, tryAgain } from './settle/settle-payment.ts'
import { inDoubt, mismatched, unpaid, unpaidExact } from './table/outcomes.ts'
import { type Course, runSale } from './table/run-sale.ts'
import { type Attempt, LOOK_AGAIN, type SaleContext, type SaleRun } from './table/sale-context.ts'
import { nextStep } from './table/sale-table.ts'

/** Single payments (scheme `exact`) on one network. */
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
      const member = differingMember(decoded.payment, context.terms, call.items)
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
          context,
          attempt,
          identifier,
          arrivedAt: context.now(),
          sent: false,
          isNewcomer: false,
          mayBeCharged: false,
          signatureAccepted: false,
          pending: false,
          denied: false,
          leave: null,
        }),
      late: () => inDoubt({ context, attempt }),
    }
  },
})

/** How single payments are sold: the state table, and the function of each of its steps. */
const EXACT: Course<SaleRun> = {
  async look(run) {
    const claimed = await claimAtOnce(run)
    if (claimed !== null) return claimed
    const row = await run.context.ledger.find(run.attempt.key)
    return row === null ? claim(run) : observe(run, row)
  },
  next: nextStep,
  steps: {
    claim: () => Promise.reject(new Error('a row that exists cannot be claimed')),
    wait: async () => LOOK_AGAIN,
    take_over: takeOver,
    settle,
    send,
    doubt,
    record,
    let_go: letGo,
    mark_refused: markRefused,
    weigh_refusal: weighRefusal,
    read_chain: readChain,
    try_again: tryAgain,
    send_again: sendAgain,
    answer_sold: answerSold,
    say_in_doubt: sayInDoubt,
    say_used: sayUsed,
    say_used_for_another: sayUsedForAnother,
    say_void: sayVoid,
    say_refused: sayRefused,
    say_throttled: sayThrottled,
    say_locked: sayLocked,
    say_late: sayLate,
  },
  lookMs: ({ context }) => context.timing.lookMs,
  outOfTime: inDoubt,
  async inDoubt(run, error) {
    run.context.report({ event: run.sent ? 'settlement_not_recorded' : 'repeat_failed', error })
    return inDoubt(run)
  },
}
