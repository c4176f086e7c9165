import type { Hex } from 'viem'
import type { Authorization } from '../../authorization/authorization.ts'
import { authorizationDigest } from '../../authorization/authorization-digest.ts'
import { ORDINARY_SIGNATURE_CHARACTERS } from '../../authorization/signature.ts'
import { judgeWindow } from '../../authorization/validity-window.ts'
import type { Declined, Unpaid } from '../../ports/sale.ts'
import { waitOf, walletsOf } from '../../sale/limits/refusal-limiter.ts'
import { declined, unpaid } from '../../sale/table/outcomes.ts'
import { type ChannelAttempt, type ChannelContext, mayExpose } from '../channel-context.ts'
import { withoutChannels } from '../charge/corrected-terms.ts'
import type { ChannelPayment, Deposit } from '../voucher/decode-channel-payment.ts'
import { depositNonce } from '../voucher/digests.ts'

/** Why a new deposit must not be sent; null if it may be. May reject with ChainUnavailable. */
export async function judgeDeposit(
  context: ChannelContext,
  attempt: ChannelAttempt,
  deposit: Deposit,
  exposed: bigint,
): Promise<Unpaid | Declined | null> {
  const { terms, now, refusals } = context
  const { payment, call } = attempt
  if (await isPaidOtherwise(context, call)) return declined('payment_already_used')
  if (deposit.amount < terms.minDeposit(call.items)) return unpaid(context, attempt, 'payment_terms_mismatch')
  const outsideWindow = judgeWindow(
    authorizationOf(context.prices, payment, deposit),
    Math.floor(now() / 1000),
  )
  if (context.pausedBy() === 'clock_wrong') return declined('clock_wrong')
  if (outsideWindow !== null) return unpaid(context, attempt, outsideWindow)
  const isByPayer = await isSignedByPayer(context, attempt, deposit)
  if (!isByPayer && !(await context.chain.hasCode(payment.config.payer as Hex)))
    return unpaid(context, attempt, 'payment_invalid_signature')
  const wait = waitOf(refusals, { payer: payment.config.payer, client: call.client, isByPayer }, now())
  if (wait > 0) return declined('too_many_requests', wait)
  // While sales are paused, it would land and buy nothing.
  const pause = context.pausedBy()
  if (pause !== null) return declined(pause)
  if (!mayExpose(context, exposed)) return declined('facilitator_unavailable')
  const balance = await context.chain.balance(payment.config.payer as Hex)
  if (balance < deposit.amount) return unpaid(context, attempt, 'payment_insufficient_funds')
  return refuseUnpaidFor(context, attempt)
}

/** Whether a single payment for the same task may have been sent, so that the deposit would buy nothing. */
async function isPaidOtherwise(
  { ledger }: ChannelContext,
  { task }: ChannelAttempt['call'],
): Promise<boolean> {
  const attachedTo = task?.attachedTo
  const row = attachedTo === undefined ? null : await ledger.find(attachedTo)
  return row !== null && row.state !== 'claimed' && row.state !== 'void'
}

const ACCOUNT_EXCEEDED =
  'this payer has not brought in what another deposit costs; pay single calls, or withdraw'
const NO_CREDIT = 'channels are not opened for new payers at the moment; pay single calls'

/** Refuses a deposit whose gas its payer has not brought in; a first one is on credit, few for each client address. */
async function refuseUnpaidFor(
  { admits, credits, now }: ChannelContext,
  { payment, call, quote }: ChannelAttempt,
): Promise<Unpaid | null> {
  const said = await admits({ kind: 'deposit', payer: payment.config.payer })
  if (said === 'admitted') return null
  if (said === 'on_credit' && credits.waitSeconds(call.client, now()) === 0) {
    credits.note(call.client, now())
    return null
  }
  return withoutChannels(quote, 'payment_refused', said === 'account_exceeded' ? ACCOUNT_EXCEEDED : NO_CREDIT)
}

/** A deposit signed by the payer's own key may always be sent again. */
export async function maySendAgain(
  context: ChannelContext,
  attempt: ChannelAttempt,
  deposit: Deposit,
): Promise<boolean> {
  const { refusals, now } = context
  if (await isSignedByPayer(context, attempt, deposit)) return true
  return refusals.waitSeconds(walletsOf(attempt.call.client), now()) === 0
}

/** By the payer's own key; the signature of a wallet contract is left to the facilitator. */
async function isSignedByPayer(
  { prices, recover }: ChannelContext,
  { payment }: ChannelAttempt,
  deposit: Deposit,
): Promise<boolean> {
  if (deposit.signature.length !== ORDINARY_SIGNATURE_CHARACTERS) return false
  const digest = authorizationDigest(
    prices,
    'ReceiveWithAuthorization',
  )(authorizationOf(prices, payment, deposit))
  return (await recover(digest, Buffer.from(deposit.signature.slice(2), 'hex'))) === payment.config.payer
}

/**
 * Counts a failed deposit: against the payer if its own key signed, else against all contract wallets of the client, since
 * any client can name any payer.
 */
export async function noteFailure(
  context: ChannelContext,
  attempt: ChannelAttempt,
  deposit: Deposit,
  { isRefused }: { readonly isRefused: boolean },
): Promise<void> {
  const { refusals, now } = context
  if (!(await isSignedByPayer(context, attempt, deposit)))
    refusals.note(walletsOf(attempt.call.client), now())
  else if (isRefused) refusals.note(attempt.payment.config.payer, now())
}

const authorizationOf = (
  { network }: ChannelContext['prices'],
  { config, voucher }: ChannelPayment,
  { amount, validAfter, validBefore, salt }: Deposit,
): Authorization => ({
  from: config.payer as Hex,
  to: network.contracts.depositCollector,
  value: amount,
  validAfter,
  validBefore,
  nonce: depositNonce(voucher.channelId, salt),
})
