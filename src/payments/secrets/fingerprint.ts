import type { NonEmpty } from '../../values/non-empty.ts'
import type { ValueCall } from '../ports/sale.ts'
import type { Keyring } from './keyring.ts'

/**
 * An HMAC over the digest of a call's types and values. A row holds it only in its binding, under its own salt, so two rows
 * with the same value have nothing in common.
 */
export type Fingerprint = Buffer

/** Under every key in use; only the first one, under the present key, is written. */
export type Fingerprints = NonEmpty<Fingerprint>

/** `digest` is that of the request. A list has a key of its own: a list of one is not a single call. */
export const fingerprintsOf = (keys: Keyring, shape: ValueCall['shape'], digest: Buffer): Fingerprints =>
  keys.macs(shape === 'single' ? 'fingerprint' : 'list-fingerprint', digest)
