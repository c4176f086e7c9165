/**
 * The key that signs the agent card: P-256, from configuration (PEM or JWK) or made once and kept in a file that
 * only the service's user can read.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseObject } from './json-object.ts'

/** A public key as it is published. */
export type Jwk = Readonly<Record<string, string>>

export interface CardKey {
  readonly privateKey: KeyObject
  /** The key's thumbprint (RFC 7638), so that a new key has a new name. */
  readonly kid: string
  /** The public key set (RFC 7517). */
  readonly jwks: { readonly keys: readonly Jwk[] }
}

/** Reads a key from configuration; throws without quoting it when it is no P-256 private key. */
export function readCardKey(text: string): CardKey {
  let privateKey: KeyObject
  try {
    const jwk = parseObject(text)
    privateKey =
      jwk === undefined ? createPrivateKey(text) : createPrivateKey({ key: { ...jwk }, format: 'jwk' })
  } catch {
    throw new Error('the card key is neither a PEM nor a JWK private key')
  }
  return cardKey(privateKey)
}

const FILE = 'a2a-card-key.pem'

/** Reads the key kept in a directory; makes it on the first boot. */
export function keptCardKey(directory: string): CardKey {
  const path = join(directory, FILE)
  return readCardKey(readText(path) ?? makeKeyFile(path))
}

function cardKey(privateKey: KeyObject): CardKey {
  const { kty, crv, x, y } = createPublicKey(privateKey).export({ format: 'jwk' })
  if (kty !== 'EC' || crv !== 'P-256' || x === undefined || y === undefined)
    throw new Error('the card key has to be a P-256 key')
  const thumbprint = JSON.stringify({ crv, kty, x, y })
  const kid = createHash('sha256').update(thumbprint).digest('base64url')
  return { privateKey, kid, jwks: { keys: [{ kty, crv, x, y, kid, use: 'sig', alg: 'ES256' }] } }
}

/** Writes a new key whole or not at all; where another process was faster, its key stands. */
function makeKeyFile(path: string): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, pem, { mode: 0o600 })
  try {
    linkSync(draft, path)
    return pem
  } catch (error) {
    const standing = readText(path)
    if (standing === undefined) throw error
    return standing
  } finally {
    rmSync(draft, { force: true })
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
