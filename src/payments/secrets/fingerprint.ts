import type { PaymentRow } from '../../ledger/payment-row.ts'
import type { ValueCall } from '../ports/sale.ts'
import { type Keyring, sameBytes } from './keyring.ts'

/**
 * Stands for the types and values of one call without telling them: an HMAC under a key of the service.
 *
 * It never reaches the store in the clear; a row holds it only under its own salt (the binding), so two rows over the
 * same value have nothing in common.
 */
export type Fingerprint = Buffer

/** The fingerprints of one call under every key in use: the present one first, and only that one is written. */
export type Fingerprints = readonly [Fingerprint, ...Fingerprint[]]

/**
 * The fingerprints of a call: over type and value, the decoded string as sent, untrimmed, in UTF-8; for a list over
 * every type and value in order, under a key of its own, so that a list of one is not a single call.
 */
export function fingerprintsOf(
  keys: Keyring,
  { shape, items }: Pick<ValueCall, 'shape' | 'items'>,
): Fingerprints {
  const parts = items.flatMap(({ skill, value }) => [Buffer.from(skill.id), Buffer.from(value, 'utf8')])
  return keys.macs(shape === 'single' ? 'fingerprint' : 'list-fingerprint', ...parts)
}

/** Whether a repeat carries the payment identifier of its sale; a sale without one asks for none. */
export const sameIdentifier = ({ identifier }: PaymentRow, identifiers: readonly Buffer[]): boolean =>
  identifier === null || identifiers.some((mac) => sameBytes(mac, identifier))
