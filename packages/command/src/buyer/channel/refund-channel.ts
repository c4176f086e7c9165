import { encodePaymentSignatureHeader } from '@x402/core/http'
import type { PaymentPayload, PaymentRequired, SettleResponse } from '@x402/core/types'
import { member, textOf } from '../json.ts'
import { askJson } from '../post-json.ts'
import { type Refusal, type Reply, refusalIn } from '../reply.ts'
import { readRestReply } from '../rest-reply.ts'
import { retry } from '../retry.ts'
import { isAmount } from '../signable-terms.ts'
import { type ChannelAccount, NoNode } from './channel-account.ts'
import { CHANNEL_PATH, type ChannelParts, correct } from './channel-parts.ts'
import type { OwnChannel } from './channel-wallet.ts'

export type RefundOutcome =
  /** Atomic units. */
  | { readonly kind: 'refunded'; readonly amount: bigint; readonly transaction: string }
  /** All of the deposit is charged or paid back, or there never was one. */
  | { readonly kind: 'nothing_left' }
  | (Refusal & { readonly kind: 'refused' | 'unanswered' })
  | { readonly kind: 'no_channel' | 'not_proven' | 'no_node' }
  | { readonly kind: 'unreachable'; readonly url: string }

const MOST_ROUNDS = 3
const NOTHING_LEFT = 'invalid_batch_settlement_evm_refund_no_balance'

/** `amount`: atomic units, or null for all that is not charged. */
export async function refundChannel(
  url: string,
  amount: bigint | null,
  parts: ChannelParts,
): Promise<RefundOutcome> {
  const { wallet, book, backoff } = parts
  const offer = await ask(url).catch(() => null)
  if (offer === null) return { kind: 'unreachable', url }
  // A service without channels answers 404.
  if ((offer.kind === 'refused' || offer.kind === 'retry') && offer.status !== 404)
    return { kind: 'refused', ...refusalIn(offer) }
  const channel = offer.kind === 'unpaid' ? wallet.channelOn(offer.required) : null
  if (channel === null) return { kind: 'no_channel' }
  try {
    let account = book.find(channel.id) ?? (await unrecorded(parts, channel))
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const payload = await wallet.signRefund(channel, account.charged, amount)
      const reply = await retry(() => ask(url, paidBy(payload)), backoff)
      if (reply.kind === 'sold') return refunded(parts, channel, account, reply.settlement)
      if (reply.kind === 'in_doubt') return { kind: 'unanswered', ...refusalIn(reply) }
      if (reply.kind === 'refused') return { kind: 'refused', ...refusalIn(reply) }
      if (reply.required.error === NOTHING_LEFT) return { kind: 'nothing_left' }
      if (reply.code !== 'channel_out_of_step')
        return { kind: 'refused', ...refusalIn(reply), detail: reasonIn(reply) }
      const corrected = await correct(parts, channel, account, reply.required)
      if (corrected === null && account.charged === 0n) return { kind: 'not_proven' }
      if (corrected?.balance === 0n) return { kind: 'nothing_left' }
      // A book older than a claim signs a voucher that the claim made public. A service names no account to it, so the next
      // voucher is over 0.
      const isFurther = corrected !== null && corrected.charged !== account.charged
      account = isFurther ? corrected : { ...account, charged: 0n }
    }
  } catch (error) {
    if (error instanceof NoNode) return { kind: 'no_node' }
    throw error
  }
  return { kind: 'not_proven' }
}

/**
 * A channel that the book does not have: its first voucher is over 0. A service that has charged more answers with the
 * newest voucher, so that the buyer's own signature proves the sum.
 */
async function unrecorded({ readChannel }: ChannelParts, { id }: OwnChannel): Promise<ChannelAccount> {
  const { balance } = await readChannel(id)
  return { balance, charged: 0n, signed: 0n, pending: null }
}

/** Why a refund was refused, as its terms say in "code: reason". */
function reasonIn({ required, code, detail }: Refusal & { readonly required: PaymentRequired }): string {
  const error = textOf(member(required), 'error')
  return error.startsWith(`${code}: `) ? error.slice(code.length + 2) : detail
}

function refunded(
  { book }: ChannelParts,
  { id }: OwnChannel,
  account: ChannelAccount,
  { amount, transaction }: SettleResponse,
): RefundOutcome {
  const paid = isAmount(amount) ? BigInt(amount) : 0n
  const balance = account.balance > paid ? account.balance - paid : 0n
  book.write(id, { ...account, balance })
  return { kind: 'refunded', amount: paid, transaction }
}

const paidBy = (payload: PaymentPayload) => ({ 'PAYMENT-SIGNATURE': encodePaymentSignatureHeader(payload) })

/** Gets the terms of channels, or with a payment a refund. */
async function ask(url: string, headers: Record<string, string> = {}): Promise<Reply<null>> {
  return readRestReply(await askJson(new URL(CHANNEL_PATH, url), { headers }), () => null)
}
