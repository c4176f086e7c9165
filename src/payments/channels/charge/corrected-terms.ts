import type { PaymentRequired } from '@x402/core/types'
import { encodeHeader } from '../../../json.ts'
import type { ChannelRow } from '../../../ledger/channel-store.ts'
import type { Quote, Unpaid, UnpaidCode } from '../../ports/sale.ts'
import { CHANNEL_SCHEME, type ChannelTerms } from '../../terms/channel-terms.ts'
import type { ChannelAttempt, ChannelContext } from '../channel-context.ts'
import type { Voucher } from '../voucher/decode-channel-payment.ts'
import { channelState } from './channel-receipt.ts'

/** The reason on which the stock client corrects its account (@x402/evm 2.27, `processCorrectivePaymentRequired`). */
const OUT_OF_STEP = 'invalid_batch_settlement_evm_cumulative_amount_mismatch'

/**
 * The 402 after which the stock client goes on from our account: the state of the channel, and the payer's own newest
 * voucher as proof. Without a channel (null) the client reads the chain.
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
 * The channel as it is shown to the sender of a voucher: not at all if a claim may have made the voucher public. Then
 * its sender need not be the payer, and with the newest voucher could try out what was bought last, or take a refund. A
 * voucher over nothing is never claimed.
 */
export const shownTo = ({ amount }: Voucher, row: ChannelRow | null): ChannelRow | null =>
  row !== null && amount > 0n && amount <= row.totalClaimed ? null : row

/** The corrective answer to a call; `row`: what is known of its channel. */
export const outOfStep = (
  { terms }: Pick<ChannelContext, 'terms'>,
  { quote, call, payment }: ChannelAttempt,
  row: ChannelRow | null,
): Unpaid => correctedTerms(quote, terms, call.items, shownTo(payment.voucher, row))

/**
 * The answer to the newest voucher once too many differing calls came with it: the same to every call. It corrects the
 * client like another, so that it sends its call with the next voucher, which only the payer can sign.
 */
export const locked = (
  { terms }: Pick<ChannelContext, 'terms'>,
  { quote, call, payment }: ChannelAttempt,
  row: ChannelRow,
): Unpaid => correctedTerms(quote, terms, call.items, shownTo(payment.voucher, row), 'payment_locked')

/** The payer is withdrawing: the call can be paid for without a channel. */
export const closing = (quote: Quote): Unpaid =>
  withoutChannels(quote, 'channel_closing', 'the payer is withdrawing from this channel')

/** Terms of single payments alone, and the reason why not over a channel. */
export function withoutChannels(quote: Quote, code: UnpaidCode, reason: string): Unpaid {
  const { accepts, x402Version, resource } = quote.required('payment_required')
  return answerOf(
    {
      x402Version,
      error: `${code}: ${reason}`,
      resource,
      accepts: accepts.filter(({ scheme }) => scheme !== CHANNEL_SCHEME),
    },
    code,
  )
}

/** A 402 of its own, beside the terms that are quoted to everybody. */
export function answerOf(required: PaymentRequired, code: UnpaidCode): Unpaid {
  const header = encodeHeader(required)
  return { kind: 'unpaid', code, quote: { required: () => required, header: () => header } }
}
