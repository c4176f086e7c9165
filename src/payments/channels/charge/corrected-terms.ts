import type { PaymentRequired } from '@x402/core/types'
import type { UnpaidCode } from '../../../errors.ts'
import type { ChannelRow } from '../../../ledger/channels/channel-row.ts'
import type { Quote, Unpaid } from '../../ports/sale.ts'
import { CHANNEL_SCHEME, type ChannelTerms } from '../../terms/channel-terms.ts'
import { quoteOf } from '../../terms/quote-for.ts'
import { withReason } from '../../terms/refusal-reasons.ts'
import type { ChannelAttempt, ChannelContext } from '../channel-context.ts'
import type { Voucher } from '../voucher/decode-channel-payment.ts'
import { channelState } from './channel-receipt.ts'

/** At this reason the stock client corrects its account (@x402/evm 2.27, `processCorrectivePaymentRequired`). */
const OUT_OF_STEP = 'invalid_batch_settlement_evm_cumulative_amount_mismatch'

/**
 * The 402 after which the stock client continues from our account. It has the state of the channel, and the payer's own
 * newest voucher as proof; without a row, the client reads the chain.
 */
export function correctedTerms(
  quote: Quote,
  terms: ChannelTerms,
  items: number,
  row: ChannelRow | null,
  code: UnpaidCode = 'channel_out_of_step',
): Unpaid {
  const offered = terms.requirementsFor(items)
  const state =
    row === null
      ? {}
      : {
          channelState: channelState(row),
          voucherState: { signedMaxClaimable: row.charged.toString(), signature: row.signature },
        }
  const { x402Version, resource } = quote.required('payment_required')
  const required = {
    x402Version,
    error: OUT_OF_STEP,
    resource,
    accepts: [{ ...offered, extra: { ...offered.extra, ...state } }],
  }
  return { ...answerOf(required, code), isCorrection: true }
}

/**
 * The channel as shown to the sender of a voucher: null if a claim may have made that voucher public. Its sender then
 * need not be the payer, and could use the newest voucher to guess what was bought last, or to ask for a refund. A voucher
 * over 0 is never claimed.
 */
export const shownTo = ({ amount }: Voucher, row: ChannelRow | null): ChannelRow | null =>
  row !== null && amount > 0n && amount <= row.totalClaimed ? null : row

export const outOfStep = (
  { terms }: ChannelContext,
  { quote, call, payment }: ChannelAttempt,
  row: ChannelRow | null,
  code?: UnpaidCode,
): Unpaid => correctedTerms(quote, terms, call.items, shownTo(payment.voucher, row), code)

export const closing = (quote: Quote): Unpaid =>
  withoutChannels(quote, 'channel_closing', 'the payer is withdrawing from this channel')

/** The terms of single payments alone where there are any, with the reason why a channel is refused. */
export function withoutChannels(quote: Quote, code: UnpaidCode, reason: string): Unpaid {
  const { accepts, x402Version, resource } = quote.required('payment_required')
  const singles = accepts.filter(({ scheme }) => scheme !== CHANNEL_SCHEME)
  // At the address of channels, whose quote says where single payments are taken.
  if (singles.length === 0) return { kind: 'unpaid', code, quote: withReason(quote, `Reason: ${reason}.`) }
  return answerOf(
    {
      x402Version,
      error: `${code}: ${reason}`,
      resource,
      accepts: singles,
    },
    code,
  )
}

/** Wraps these terms as the 402 of one request; the shared quotes stay as they are. */
export function answerOf(required: PaymentRequired, code: UnpaidCode): Unpaid {
  return { kind: 'unpaid', code, quote: quoteOf(() => required) }
}
