import type { Authorization } from '../../authorization/authorization.ts'
import { authorizationDigest } from '../../authorization/authorization-digest.ts'
import { ORDINARY_SIGNATURE_CHARACTERS } from '../../authorization/signature.ts'
import type { Hex } from '../../chain/chain-reader.ts'
import { declined, unpaid } from '../../sale/outcomes.ts'
import type { Sale } from '../../sale.ts'
import { type ChannelAttempt, type ChannelContext, mayExpose } from '../sale/channel-context.ts'
import type { ChannelPayment, Deposit } from '../voucher/decode-channel-payment.ts'
import { DEPOSIT_COLLECTOR, depositNonce } from '../voucher/digests.ts'

/** Seconds that are left to mine a deposit, at least. */
const MARGIN_SECONDS = 10n

/** What stops a new deposit from being sent; null when nothing does. May reject with ChainUnavailable. */
export async function judgeDeposit(
  context: ChannelContext,
  attempt: ChannelAttempt,
  deposit: Deposit,
  exposed: bigint,
): Promise<Sale | null> {
  const { terms, now, refusals } = context
  const { payment, call } = attempt
  const at = BigInt(Math.floor(now() / 1000))
  if (deposit.amount < terms.minDeposit(call.items)) return unpaid(context, attempt, 'payment_terms_mismatch')
  if (deposit.validBefore < at + MARGIN_SECONDS) return unpaid(context, attempt, 'payment_expired')
  if (deposit.validAfter > at) return unpaid(context, attempt, 'payment_not_yet_valid')
  if (!(await isSigned(context, attempt, deposit)))
    return unpaid(context, attempt, 'payment_invalid_signature')
  const wait = refusals.waitSeconds(payment.config.payer, now())
  if (wait > 0) return declined('too_many_requests', wait)
  // Sent all the same, it would land and buy nothing.
  if (!context.maySettle() || !mayExpose(context, exposed)) return declined('facilitator_unavailable')
  const balance = await context.chain.balance(payment.config.payer as Hex)
  return balance < deposit.amount ? unpaid(context, attempt, 'payment_insufficient_funds') : null
}

/** By the payer's own key; a signature of another form is left to the facilitator if the payer is a wallet contract. */
async function isSigned(
  { prices, recover, chain }: ChannelContext,
  { payment }: ChannelAttempt,
  deposit: Deposit,
): Promise<boolean> {
  const payer = payment.config.payer as Hex
  if (deposit.signature.length === ORDINARY_SIGNATURE_CHARACTERS) {
    const digest = authorizationDigest(prices, 'ReceiveWithAuthorization')(authorizationOf(payment, deposit))
    if ((await recover(digest, Buffer.from(deposit.signature.slice(2), 'hex'))) === payer) return true
  }
  return chain.hasCode(payer)
}

/** The authorization that moves a deposit into its channel. */
const authorizationOf = (
  { config, voucher }: ChannelPayment,
  { amount, validAfter, validBefore, salt }: Deposit,
): Authorization => ({
  from: config.payer as Hex,
  to: DEPOSIT_COLLECTOR,
  value: amount,
  validAfter,
  validBefore,
  nonce: depositNonce(voucher.channelId, salt),
})
