import { differingMember } from '../authorization/accepts-terms.ts'
import { decodePayment, namesNetwork } from '../authorization/decode-payment.ts'
import { EXACT, startExact } from './exact-course.ts'
import { accountOf } from './limits/account-shares.ts'
import { identifierOf } from './purchase/payment-identifier.ts'
import { nameOfCall } from './purchase/purchased-call.ts'
import type { Scheme } from './sell.ts'
import { inDoubt, mismatched, unpaid, unpaidExact } from './table/outcomes.ts'
import { runSale } from './table/run-sale.ts'
import type { Attempt, SaleContext } from './table/sale-context.ts'

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
      run: () => runSale(EXACT, startExact(context, attempt)),
      late: () => inDoubt({ context, attempt }),
    }
  },
})
