/**
 * SHA-256 over a salt and the SHA-256 of a JSON text. A receipt may be published: only the buyer has the salt, without
 * which a guessed value or result cannot be tested. Thanks to the inner hash, a task is sealed without the values.
 */
import { hash } from 'node:crypto'
import type { CheckType } from 'format-checker-checks/verdict'

export const sha256 = (data: string | Buffer): Buffer => hash('sha256', data, 'buffer')

/** Of JSON without white space, with the members in the order of the documentation. */
export const digestOf = (json: unknown): Buffer => sha256(JSON.stringify(json))

export const saltedHash = (salt: Buffer, digest: Buffer): string =>
  sha256(Buffer.concat([salt, digest])).toString('hex')

/** The same on every surface. */
export function requestDigest(
  shape: 'single' | 'list',
  items: readonly { readonly skill: { readonly id: CheckType }; readonly value: string }[],
): Buffer {
  const parts = items.map(({ skill, value }) => ({ type: skill.id, value }))
  return digestOf(shape === 'single' ? parts[0] : parts)
}
