import type { NonEmpty } from '../../values/non-empty.ts'
import type { ValueCall } from '../ports/sale.ts'
import type { Keyring } from './keyring.ts'

/**
 * An HMAC over types and values of a call. A row holds it only in its binding, under its own salt, so two rows with the
 * same value have nothing in common.
 */
export type Fingerprint = Buffer

/** Under every key in use; only the first one, under the present key, is written. */
export type Fingerprints = NonEmpty<Fingerprint>

/** Over type and value as it was sent, in UTF-8. A list has a key of its own: a list of one is not a single call. */
export function fingerprintsOf(
  keys: Keyring,
  { shape, items }: Pick<ValueCall, 'shape' | 'items'>,
): Fingerprints {
  const parts = items.flatMap(({ skill, value }) => [Buffer.from(skill.id), Buffer.from(value, 'utf8')])
  return keys.macs(shape === 'single' ? 'fingerprint' : 'list-fingerprint', ...parts)
}
