import { randomBytes } from 'node:crypto'
import type { CheckType } from '../../checks/verdict.ts'
import type { PaymentRow } from '../../ledger/ledger.ts'
import { type Keyring, sameBytes } from './keyring.ts'

/**
 * Stands for one type and value without telling either: an HMAC of both, under a key of the service.
 *
 * It never reaches the store in the clear; a row holds it only under a salt of its own (the binding), so two rows
 * over the same value have nothing in common.
 */
export type Fingerprint = Buffer

/** One call's fingerprints under every key in use: the present one first, and that one alone is written. */
export type Fingerprints = readonly [Fingerprint, ...Fingerprint[]]

/** The fingerprint of a call: the value is the decoded string as sent, untrimmed, in UTF-8. */
export const fingerprintOf = (keys: Keyring, type: CheckType, value: string): Fingerprint =>
  fingerprintsOf(keys, type, value)[0]

/** The fingerprints of a call, also under the key before the present one. */
export const fingerprintsOf = (keys: Keyring, type: CheckType, value: string): Fingerprints =>
  keys.macs('fingerprint', Buffer.from(type), Buffer.from(value, 'utf8'))

/** A fresh salt and the binding of a fingerprint under it, for a new row. */
export function bind(keys: Keyring, fingerprint: Fingerprint): { salt: Buffer; binding: Buffer } {
  const salt = randomBytes(16)
  return { salt, binding: keys.mac('binding', salt, fingerprint) }
}

/** Whether a row was claimed for this type and value; false once its binding has been deleted. */
export function isBoundTo(keys: Keyring, row: PaymentRow, fingerprints: Fingerprints): boolean {
  const { salt, binding } = row
  if (salt === null || binding === null) return false
  let bound = false
  for (const fingerprint of fingerprints) {
    for (const mac of keys.macs('binding', salt, fingerprint)) bound = sameBytes(mac, binding) || bound
  }
  return bound
}

/** Whether a repeat carries the payment identifier its sale was made with; without one in the sale none is asked for. */
export const sameIdentifier = ({ identifier }: PaymentRow, identifiers: readonly Buffer[]): boolean =>
  identifier === null || identifiers.some((mac) => sameBytes(mac, identifier))
