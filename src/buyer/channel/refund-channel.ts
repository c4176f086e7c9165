import { encodePaymentSignatureHeader } from '@x402/core/http'
import type { PaymentPayload, PaymentRequired, SettleResponse } from '@x402/core/types'
import { readReply } from '../post-json.ts'
import type { Refusal, Reply } from '../reply.ts'
import { readRestReply } from '../rest-reply.ts'
import { DEFAULT_BACKOFF, retry } from '../retry.ts'
import type { ChannelAccount } from './channel-account.ts'
import { type ChannelParts, correct, NoNode, readFrom } from './channel-parts.ts'
import type { OwnChannel } from './channel-wallet.ts'

export type RefundOutcome =
  /** Atomic units. */
  | { readonly kind: 'refunded'; readonly amount: bigint; readonly transaction: string }
  /** All of the deposit is charged, or was paid back before, or there never was one. */
  | { readonly kind: 'nothing_left' }
  | (Refusal & { readonly kind: 'refused' | 'unanswered' })
  | { readonly kind: 'no_channel' | 'not_proven' | 'no_node' }
  | { readonly kind: 'unreachable'; readonly url: string }

/** Longer than a service may spend on a transaction. */
const TIMEOUT_MS = 60_000
const MOST_ROUNDS = 3
const NOTHING_LEFT = 'invalid_batch_settlement_evm_refund_no_balance'

/** Asks the service to pay back `amount` of a channel, or all that is not charged (null). */
export async function refundChannel(
  url: string,
  amount: bigint | null,
  parts: ChannelParts,
): Promise<RefundOutcome> {
  const { wallet, book, backoff = DEFAULT_BACKOFF } = parts
  const offer = await ask(url).catch(() => null)
  if (offer === null) return { kind: 'unreachable', url }
  // A service without channels does not know the path.
  if ((offer.kind === 'refused' || offer.kind === 'retry') && offer.status !== 404)
    return { kind: 'refused', status: offer.status, code: offer.code, detail: offer.detail }
  const channel = offer.kind === 'unpaid' ? wallet.channelOn(offer.required) : null
  if (channel === null) return { kind: 'no_channel' }
  try {
    let account = book.find(channel.id) ?? (await unrecorded(parts, channel))
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const payload = await wallet.signRefund(channel, account.charged, amount)
      const reply = await retry(() => ask(url, paidBy(payload)), backoff)
      if (reply.kind === 'sold') return refunded(parts, channel, account, reply.settlement)
      const { status, code, detail } = reply
      if (reply.kind === 'in_doubt') return { kind: 'unanswered', status, code, detail }
      if (reply.kind === 'refused') return { kind: 'refused', status, code, detail }
      if (reply.required.error === NOTHING_LEFT) return { kind: 'nothing_left' }
      if (code !== 'channel_out_of_step')
        return { kind: 'refused', status, code, detail: reasonIn(reply.required, code) ?? detail }
      const corrected = await correct(parts, channel, account, reply.required)
      if (corrected === null && account.charged === 0n) return { kind: 'not_proven' }
      if (corrected?.balance === 0n) return { kind: 'nothing_left' }
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
 * A channel that the book does not have. Its first voucher is for nothing: a service that has charged more answers with
 * the newest one, and so the buyer's own signature says how much that was, not the node. The same helps a book from
 * before a claim: no account is named to a voucher that a claim may have made public.
 */
async function unrecorded(parts: ChannelParts, { id }: OwnChannel): Promise<ChannelAccount> {
  const { balance } = await readFrom(parts)(id)
  return { balance, charged: 0n, signed: 0n, pending: null }
}

/** The terms of a refused refund say why: one for each voucher, or no part of what is left. */
function reasonIn({ error = '' }: PaymentRequired, code: string): string | null {
  return error.startsWith(`${code}: `) ? error.slice(code.length + 2) : null
}

function refunded(
  { book }: ChannelParts,
  { id }: OwnChannel,
  account: ChannelAccount,
  { amount, transaction }: SettleResponse,
): RefundOutcome {
  const paid = BigInt(/^[0-9]{1,30}$/.test(amount ?? '') ? (amount as string) : '0')
  const balance = account.balance > paid ? account.balance - paid : 0n
  book.write(id, { ...account, balance })
  return { kind: 'refunded', amount: paid, transaction }
}

const paidBy = (payload: PaymentPayload) => ({ 'PAYMENT-SIGNATURE': encodePaymentSignatureHeader(payload) })

/** `GET /api/channel`: the terms of a channel, or with a payment a refund. */
async function ask(url: string, headers: Record<string, string> = {}): Promise<Reply<null>> {
  const response = await fetch(new URL('/api/channel', url), {
    redirect: 'error',
    headers,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const pay = (payload: PaymentPayload) => () => ask(url, paidBy(payload))
  return readRestReply(await readReply(response), pay, () => null)
}
