import { randomUUID } from 'node:crypto'
import type { SettleResponse } from '@x402/core/types'
import type { UnpaidCode } from '../../../errors.ts'
import type { ChannelRow } from '../../../ledger/channels/channel-row.ts'
import { LEASE_MS } from '../../../ledger/payments/payment-row.ts'
import { StoreUnavailable } from '../../../ledger/store/store-unavailable.ts'
import { readText } from '../../authorization/decode-payment.ts'
import { ChainUnavailable } from '../../chain/chain-reader.ts'
import { transactionHashOf } from '../../chain/transaction-hash.ts'
import type { Declined, Quote, RawPayment, Unpaid } from '../../ports/sale.ts'
import { SignerUnavailable } from '../../ports/signer.ts'
import { declined } from '../../sale/table/outcomes.ts'
import { availableOf, claimableOf } from '../channel-balance.ts'
import type { ChannelContext } from '../channel-context.ts'
import { channelState } from '../charge/channel-receipt.ts'
import { answerOf, correctedTerms, shownTo } from '../charge/corrected-terms.ts'
import { settleAct, signClaims, signRefund, wireClaim } from '../claims/claim-payload.ts'
import { refreshChannel } from '../claims/refresh-channel.ts'
import { wireConfig, wireVoucher } from '../deposits/deposit-payload.ts'
import {
  type ChannelPayment,
  decodeChannelPayment,
  isChannelPayment,
} from '../voucher/decode-channel-payment.ts'

export type RefundOutcome =
  | { readonly kind: 'refunded'; readonly amount: bigint; readonly settlement: SettleResponse }
  | Unpaid
  | Declined

/** Never throws for anything a caller can send. */
export type Refund = (rawPayment: RawPayment) => Promise<RefundOutcome>

/**
 * The amount is stored before anything is signed, and no voucher may spend it until the chain shows the refund's nonce
 * as used: a signed refund never expires. Each voucher allows one refund, because a claim makes the voucher public:
 * neither the payer nor a stranger can make us pay the gas of more than one for each charged call.
 */
export function createRefund(context: ChannelContext, quote: Quote): Refund {
  const unpaid = (code: UnpaidCode): Unpaid => ({ kind: 'unpaid', code, quote })
  return async (rawPayment) => {
    if (rawPayment.kind === 'none') return unpaid('payment_required')
    const json = rawPayment.kind === 'text' ? readText(rawPayment.text) : rawPayment.payload
    if (!isChannelPayment(json)) return unpaid('payment_terms_mismatch')
    const payment = decodeChannelPayment(json, context.prices.network.id)
    if (payment === null) return unpaid('payment_malformed')
    if (payment.kind !== 'refund') return unpaid('payment_terms_mismatch')
    try {
      if (!(await context.judgeVoucher(payment))) return unpaid('payment_invalid_signature')
      return await refund(context, quote, payment)
    } catch (error) {
      if (error instanceof StoreUnavailable) return declined('store_unavailable')
      throw error
    }
  }
}

const NOTHING_LEFT = 'invalid_batch_settlement_evm_refund_no_balance'
const ONCE = 'payment_refused: one refund for each voucher; buy a call, then ask again'
const NO_PART =
  'payment_refused: this voucher is claimed, so only all that is left is paid back; or buy a call first'
const NOT_BROUGHT_IN =
  'payment_refused: the calls of this payer have not paid for a refund; buy more, or withdraw: initiateWithdraw, a day later finalizeWithdraw'

/** A call or another request may change the row between its read and its write. */
const MOST_LOOKS = 4

async function refund(
  context: ChannelContext,
  quote: Quote,
  payment: ChannelPayment,
): Promise<RefundOutcome> {
  const known = await context.ledger.findChannel(payment.voucher.channelId)
  // Of a channel that was never charged, the payer can withdraw everything without us.
  if (known === null) return correctedTerms(quote, context.terms, 1, null)
  const turn = await takeTurn(context, known.config.payer)
  if (turn === null) return declined('payment_in_doubt')
  const outcome = await refundOrDoubt(context, quote, payment, known)
  // A refund that may have been sent keeps the lock until it had time to be mined: a second one would revert at our cost.
  if (outcome.kind !== 'declined' || outcome.code !== 'payment_in_doubt') await turn.end()
  return outcome
}

/** One refund of a payer at a time over all replicas, so that each sees what the others cost; null during another one. */
async function takeTurn(
  { ledger, owner, now }: ChannelContext,
  payer: string,
): Promise<{ end(): Promise<void> } | null> {
  const [name, holder] = [`refund/${payer}`, `${owner}/${randomUUID()}`]
  const isOurs = await ledger.acquireLock(name, holder, now(), now() + LEASE_MS)
  return isOurs ? { end: () => ledger.releaseLock(name, holder) } : null
}

/** If node or signer do not answer, a signed refund may have been sent, now or before. */
async function refundOrDoubt(
  context: ChannelContext,
  quote: Quote,
  payment: ChannelPayment,
  known: ChannelRow,
): Promise<RefundOutcome> {
  try {
    return await refundInTurn(context, quote, payment, known)
  } catch (error) {
    if (!(error instanceof ChainUnavailable || error instanceof SignerUnavailable)) throw error
    const row = await context.ledger.findChannel(known.id)
    return declined((row ?? known).refunding > 0n ? 'payment_in_doubt' : 'chain_unavailable')
  }
}

async function refundInTurn(
  context: ChannelContext,
  quote: Quote,
  payment: ChannelPayment,
  known: ChannelRow,
): Promise<RefundOutcome> {
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const row = await refreshChannel(context, known)
    if (payment.voucher.amount !== row.charged)
      return correctedTerms(quote, context.terms, 1, shownTo(payment.voucher, row))
    // A refund that was signed before and is not mined is sent again with its amount.
    if (row.refunding > 0n) return sendRefund(context, payment, row, row.refunding)
    const left = availableOf(row) - row.charged
    if (left <= 0n) return refuse(quote, NOTHING_LEFT)
    if (row.refunded === row.charged) return refuse(quote, ONCE)
    const isPart = payment.refund !== null && payment.refund < left
    // A claimed voucher is public: a stranger could use up the payer's one refund for a part of the money.
    if (isPart && row.totalClaimed >= row.charged) return refuse(quote, NO_PART)
    if ((await context.admits({ kind: 'refund', payer: row.config.payer })) !== 'admitted')
      return refuse(quote, NOT_BROUGHT_IN)
    const amount = isPart ? payment.refund : left
    const signed = await context.ledger.moveChannel(row, { refunding: amount, refunded: row.charged })
    if (signed !== null) return sendRefund(context, payment, signed, amount)
  }
  return declined('payment_in_doubt')
}

async function sendRefund(
  context: ChannelContext,
  payment: ChannelPayment,
  row: ChannelRow,
  amount: bigint,
): Promise<RefundOutcome> {
  const hasClaim = claimableOf(row) > row.totalClaimed
  const act = {
    type: 'refund',
    channelConfig: wireConfig(row.config),
    voucher: wireVoucher(payment.voucher),
    amount: amount.toString(),
    refundNonce: row.refundNonce.toString(),
    claims: hasClaim ? [wireClaim(row)] : [],
    refundAuthorizerSignature: await signRefund(context, row.id, row.refundNonce, amount),
    ...(hasClaim ? { claimAuthorizerSignature: await signClaims(context, [row]) } : {}),
  }
  const reply = await settleAct(context, act).catch(() => null)
  const after = await refreshChannel(context, row)
  if (after.refundNonce === row.refundNonce) return declined('payment_in_doubt')
  // Only a hash of the reply is passed on; the chain says what was refunded.
  const transaction = transactionHashOf(reply?.transaction) ?? ''
  return { kind: 'refunded', amount, settlement: settlementOf(context, after, transaction, amount) }
}

const settlementOf = (
  { prices }: ChannelContext,
  row: ChannelRow,
  transaction: string,
  amount: bigint,
): SettleResponse => ({
  success: true,
  payer: row.config.payer,
  transaction,
  network: prices.network.id,
  amount: amount.toString(),
  extra: { channelState: channelState(row) },
})

const refuse = (quote: Quote, error: string): Unpaid =>
  answerOf({ ...quote.required('payment_required'), error }, 'payment_refused')
