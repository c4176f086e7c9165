import type { UnpaidCode } from '../../../errors.ts'
import { nameOfCall } from '../../sale/purchase/purchased-call.ts'
import type { Scheme } from '../../sale/sell.ts'
import { unpaid } from '../../sale/table/outcomes.ts'
import { runSale } from '../../sale/table/run-sale.ts'
import { type ChannelContext, type ChannelRun, chargeKey } from '../channel-context.ts'
import { decodeChannelPayment, isChannelPayment } from '../voucher/decode-channel-payment.ts'
import { CHARGE } from './charge-course.ts'

/** Payments over channels: one call of a channel at a time; copies of a call share one answer. */
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
      context,
      attempt: { call, payment, quote, price: context.prices.amount * BigInt(call.items) },
      sent: false,
      mayBeCharged: false,
      leave: null,
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
