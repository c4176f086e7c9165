import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { makeValidator } from 'envalid'

export type FacilitatorToken =
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'cdp'; readonly keyId: string; readonly key: KeyObject }

/** A word that fits into a header as it is, or the JSON of an API key. */
export const facilitatorToken = makeValidator<FacilitatorToken>((input) => {
  if (!input.startsWith('{')) {
    if (!isWord(input)) throw new Error('must be visible ASCII characters without spaces')
    return { kind: 'bearer', token: input }
  }
  const { id, privateKey: text } = parsed(input)
  const key = typeof text !== 'string' ? null : text.includes('-----BEGIN') ? ecKey(text) : ed25519Key(text)
  if (typeof id !== 'string' || !isWord(id) || key === null) {
    throw new Error(
      'must be a token, or the JSON of a CDP API key: an id, and a privateKey of EC P-256 in PEM or 64 bytes of Ed25519 in base64',
    )
  }
  return { kind: 'cdp', keyId: id, key }
})

const isWord = (text: string) => /^[\x21-\x7e]+$/.test(text)

function parsed(text: string): { readonly id?: unknown; readonly privateKey?: unknown } {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** A PEM text in one line has "\\n" for its line ends. */
function ecKey(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem.replaceAll('\\n', '\n'))
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null
  } catch {
    return null
  }
}

/** PKCS #8 around an Ed25519 seed (RFC 8410, section 7). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const SEED_BYTES = 32

/** Reads seed and public key, one after the other; null if they do not belong together. */
function ed25519Key(text: string): KeyObject | null {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== 2 * SEED_BYTES) return null
  const der = Buffer.concat([ED25519_PKCS8, bytes.subarray(0, SEED_BYTES)])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return x === bytes.subarray(SEED_BYTES).toString('base64url') ? key : null
}
