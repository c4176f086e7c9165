/**
 * The hashes that tie a receipt to a request and its result: SHA-256 over a salt and the SHA-256 of a JSON text.
 *
 * A receipt may be published. The salt goes to the buyer alone; without it neither hash can be compared with a guessed
 * value or result. The inner hash lets a task that waits for payment be sealed without the values.
 */
import { hash } from 'node:crypto'
import type { Items, ValueCall } from '../ports/sale.ts'

export const sha256 = (data: string | Buffer): Buffer => hash('sha256', data, 'buffer')

/** SHA-256 of a request or result as JSON without white space, members in the order of the documentation. */
export const digestOf = (json: unknown): Buffer => sha256(JSON.stringify(json))

/** What a receipt holds of a digest; hex. */
export const saltedHash = (salt: Buffer, digest: Buffer): string =>
  sha256(Buffer.concat([salt, digest])).toString('hex')

/** The digest of `{"type","value"}`, or of an array of these for a list; the same on every surface. */
export function requestDigest(shape: ValueCall['shape'], items: Items): Buffer {
  const parts = items.map(({ skill, value }) => ({ type: skill.id, value }))
  return digestOf(shape === 'single' ? parts[0] : parts)
}
