import type { PaymentRequirements, SettleResponse } from '@x402/core/types'
import type { UnpaidCode } from '../../../errors.ts'
import { ChainUnavailable } from '../../chain/chain-reader.ts'
import { isWithoutTransaction, transactionHashOf } from '../../chain/transaction-hash.ts'
import { FacilitatorFault, type Symptom, symptomOf } from '../../facilitators/facilitator-fault.ts'
import { symptomOfReason } from '../../facilitators/reason-words.ts'

export type SettleOutcome =
  | { readonly kind: 'settled'; readonly transaction: string }
  /** Nothing was sent. `answered`: the facilitator had the request and says so; otherwise the request never left. */
  | { readonly kind: 'not_sent'; readonly answered: boolean; readonly symptom: Symptom }
  /** A refusal that proves that nothing was or will be sent. */
  | { readonly kind: 'refused'; readonly code: UnpaidCode }
  /** Everything else. `pending`: the facilitator says that a transaction is under way. */
  | { readonly kind: 'doubtful'; readonly pending: boolean; readonly symptom: Symptom }

const PENDING = 'settlement_pending'
const doubtful = (pending: boolean, symptom: Symptom): SettleOutcome => ({
  kind: 'doubtful',
  pending,
  symptom,
})
/** A success with another payer, amount or network, or without a transaction. */
const OF_ANOTHER: Symptom = { code: 'success_of_another_payment' }

/**
 * These prove that nothing was sent, if no transaction comes with them. Source: error reasons of x402 version 2 (scheme
 * exact on EVM) and of the reference facilitator. Left out: "nonce already used" (an earlier attempt may have landed),
 * failed simulations, and anything unknown.
 */
const DEFINITE_REFUSALS: ReadonlyMap<string, UnpaidCode> = new Map([
  ['invalid_exact_evm_signature', 'payment_invalid_signature'],
  ['invalid_exact_evm_payload_signature', 'payment_invalid_signature'],
  ['invalid_exact_evm_failed_to_parse_signature', 'payment_invalid_signature'],
  ['eip6492_factory_not_allowed', 'payment_invalid_signature'],
  ['invalid_exact_evm_payload_authorization_valid_after', 'payment_not_yet_valid'],
  ['invalid_exact_evm_payload_authorization_valid_before', 'payment_expired'],
  ['invalid_exact_evm_authorization_value', 'payment_refused'],
  ['invalid_exact_evm_payload_authorization_value', 'payment_refused'],
  ['invalid_exact_evm_payload_authorization_value_mismatch', 'payment_refused'],
  ['invalid_exact_evm_recipient_mismatch', 'payment_refused'],
  ['invalid_exact_evm_payload_recipient_mismatch', 'payment_refused'],
  ['invalid_exact_evm_network_mismatch', 'payment_refused'],
  ['invalid_network', 'payment_refused'],
  ['invalid_exact_evm_missing_eip712_domain', 'payment_refused'],
  ['invalid_exact_evm_token_name_mismatch', 'payment_refused'],
  ['invalid_exact_evm_token_version_mismatch', 'payment_refused'],
  ['invalid_exact_evm_eip3009_not_supported', 'payment_refused'],
  ['invalid_exact_evm_insufficient_balance', 'payment_insufficient_funds'],
  ['insufficient_funds', 'payment_insufficient_funds'],
])

/** What a reply is refused for, if that is among the reasons that prove that nothing was sent. */
export const refusalIn = (
  { success, transaction, errorReason }: SettleResponse,
  definite: ReadonlyMap<string, UnpaidCode>,
): UnpaidCode | undefined =>
  success === false && isWithoutTransaction(transaction) ? definite.get(errorReason ?? '') : undefined

export function judgeSettlement(
  reply: SettleResponse,
  requirements: Pick<PaymentRequirements, 'amount' | 'network'>,
  ourPayer: string,
): SettleOutcome {
  if (typeof reply !== 'object' || reply === null) return doubtful(false, {})
  const { success, transaction, network, payer, amount, errorReason } = reply
  if (success === true) {
    const hash = transactionHashOf(transaction)
    const ours =
      hash !== null &&
      network === requirements.network &&
      (payer == null || (typeof payer === 'string' && payer.toLowerCase() === ourPayer)) &&
      (amount == null || amount === requirements.amount)
    return ours ? { kind: 'settled', transaction: hash } : doubtful(true, OF_ANOTHER)
  }
  const code = refusalIn(reply, DEFINITE_REFUSALS)
  if (code !== undefined) return { kind: 'refused', code }
  return doubtful(errorReason === PENDING, symptomOfReason(errorReason))
}

/** This process's own facilitator throws `ChainUnavailable` if nothing was sent. */
export function judgeFault(error: unknown): SettleOutcome {
  const symptom = symptomOf(error)
  if (error instanceof ChainUnavailable) return { kind: 'not_sent', answered: false, symptom }
  const notSent = error instanceof FacilitatorFault && error.effect === 'not_sent'
  return notSent ? { kind: 'not_sent', answered: error.answered, symptom } : doubtful(false, symptom)
}

export const codeOfInvalidReason = (reason: string | undefined): UnpaidCode =>
  DEFINITE_REFUSALS.get(reason ?? '') ?? 'payment_refused'
