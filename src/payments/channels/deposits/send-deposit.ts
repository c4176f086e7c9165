import type { UnpaidCode } from '../../../errors.ts'
import { transactionHashOf } from '../../chain/transaction-hash.ts'
import { judgeFault, refusalIn, type SettleOutcome } from '../../sale/table/settle-outcome.ts'
import type { ChannelAttempt, ChannelContext } from '../channel-context.ts'
import type { Deposit } from '../voucher/decode-channel-payment.ts'
import { depositPayload } from './deposit-payload.ts'

export type DepositOutcome =
  /** The facilitator says that it was mined; only the chain is believed. */
  | { readonly kind: 'sent'; readonly transaction: string }
  | Extract<SettleOutcome, { readonly kind: 'not_sent' }>
  /** For a reason that proves that nothing was or will be sent. */
  | { readonly kind: 'refused'; readonly code: UnpaidCode }
  | { readonly kind: 'doubtful' }

const PREFIX = 'invalid_batch_settlement_evm_'

/** All reasons that prove that a deposit was not sent (@x402/evm 2.27, batch-settlement facilitator). */
const DEFINITE_REFUSALS: ReadonlyMap<string, UnpaidCode> = new Map([
  [`${PREFIX}insufficient_balance`, 'payment_insufficient_funds'],
  [`${PREFIX}receive_authorization_signature`, 'payment_invalid_signature'],
  [`${PREFIX}voucher_signature`, 'payment_invalid_signature'],
  [`${PREFIX}payload_authorization_valid_before`, 'payment_expired'],
  [`${PREFIX}payload_authorization_valid_after`, 'payment_not_yet_valid'],
  [`${PREFIX}eip6492_factory_not_allowed`, 'payment_invalid_signature'],
  [`${PREFIX}channel_id_mismatch`, 'payment_refused'],
  [`${PREFIX}receiver_mismatch`, 'payment_refused'],
  [`${PREFIX}receiver_authorizer_mismatch`, 'payment_refused'],
  [`${PREFIX}token_mismatch`, 'payment_refused'],
  [`${PREFIX}withdraw_delay_mismatch`, 'payment_refused'],
  ['unsupported_scheme', 'payment_refused'],
])

export async function sendDeposit(
  { facilitator, terms }: ChannelContext,
  { payment, call }: ChannelAttempt,
  deposit: Deposit,
): Promise<DepositOutcome> {
  const requirements = terms.requirementsFor(call.items)
  try {
    const reply = await facilitator.settle(depositPayload(payment, deposit, requirements), requirements)
    if (reply.success === true) {
      const hash = transactionHashOf(reply.transaction)
      return hash === null ? { kind: 'doubtful' } : { kind: 'sent', transaction: hash }
    }
    const code = refusalIn(reply, DEFINITE_REFUSALS)
    return code === undefined ? { kind: 'doubtful' } : { kind: 'refused', code }
  } catch (error) {
    const outcome = judgeFault(error)
    return outcome.kind === 'not_sent' && !outcome.answered ? outcome : { kind: 'doubtful' }
  }
}
