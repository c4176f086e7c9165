import { createPublicKey, type KeyObject } from 'node:crypto'
import { UsageError } from '../../../../src/command-line/usage-error.ts'
import { readFormerReceiptKey } from '../../../../src/receipts/receipt-key.ts'
import { ReceiptFault } from '../../../../src/receipts/verify-receipt.ts'
import { isLoopback } from '../../../../src/values/loopback.ts'
import { readUrl } from '../buy/read-url.ts'
import { fetchDidDocument } from '../buyer/did-document.ts'
import { readJson, readText } from './read-json.ts'

declare const TRUSTED: unique symbol

/**
 * A key that the caller vouches for: from a file that they named, or from the DID document of the service that they named. Only
 * {@link trustedKeys} makes one, and it sees nothing of what is judged.
 */
export type TrustedKey = KeyObject & { readonly [TRUSTED]: true }

/** Returns the key with an id; throws {@link ReceiptFault} without one. */
export type FindKey<K extends KeyObject> = (kid: string) => K

export interface KeyOptions {
  readonly key: string | undefined
  readonly jwks: string | undefined
  readonly url: string | undefined
}

/** Null if the caller names neither a file nor a service. */
export async function trustedKeys({ key, jwks, url }: KeyOptions): Promise<FindKey<TrustedKey> | null> {
  if ([key, jwks, url].filter((each) => each !== undefined).length > 1)
    throw new UsageError('give one of --url, --jwks and --key')
  if (key !== undefined) return onlyKey(readText(key))
  if (jwks !== undefined) return keysIn(readJson(jwks)) as FindKey<TrustedKey>
  return url === undefined ? null : keysOfService(readUrl(url))
}

function onlyKey(text: string): FindKey<TrustedKey> {
  try {
    const found = readFormerReceiptKey(text) as TrustedKey
    return () => found
  } catch (error) {
    throw new ReceiptFault(`--key: ${(error as Error).message}.`)
  }
}

/** Resolves did:web (W3C CCG, did-method-web): https, and http on this machine. A service speaks for its own name alone. */
async function keysOfService(url: string): Promise<FindKey<TrustedKey>> {
  const { host, hostname } = new URL(url)
  const document = await fetchDidDocument(`${isLoopback(hostname) ? 'http' : 'https'}://${host}`)
  if (document === null)
    throw new ReceiptFault(
      'The service of --url does not answer with its DID document. Give --key or --jwks with a kept copy.',
    )
  const find = keysIn(document)
  return (kid) => {
    if (!kid.startsWith(`did:web:${encodeURIComponent(host)}#`))
      throw new ReceiptFault('The receipt names another service than --url.')
    return find(kid) as TrustedKey
  }
}

/** Finds keys by id in a key set (RFC 7517) or a DID document, of any author. */
export function keysIn(document: unknown): FindKey<KeyObject> {
  const { keys, verificationMethod } = (document ?? {}) as { keys?: unknown; verificationMethod?: unknown }
  const listed = [
    ...listOf(keys).map((jwk) => ({ id: jwk.kid, jwk })),
    ...listOf(verificationMethod).map(({ id, publicKeyJwk }) => ({ id, jwk: publicKeyJwk })),
  ]
  return (kid) => {
    const found = listed.find(({ id }) => id === kid)
    if (found === undefined)
      throw new ReceiptFault('The published keys do not include the one that the receipt names.')
    try {
      return createPublicKey({ key: found.jwk as Record<string, string>, format: 'jwk' })
    } catch {
      throw new ReceiptFault('The published key cannot be read.')
    }
  }
}

const listOf = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : []
