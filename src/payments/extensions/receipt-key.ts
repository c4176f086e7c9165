/**
 * The key that signs offers and receipts: Ed25519, from configuration (PEM or JWK) or made once and kept in a file
 * that only the service's user can read.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reads a key from configuration; throws without quoting it when it is no Ed25519 private key. */
export function readReceiptKey(text: string): KeyObject {
  let key: KeyObject
  try {
    key = text.trimStart().startsWith('{')
      ? createPrivateKey({ key: JSON.parse(text), format: 'jwk' })
      : createPrivateKey(text)
  } catch {
    throw new Error('the receipt key is neither a PEM nor a JWK private key')
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the receipt key has to be an Ed25519 key')
  return key
}

const FILE = 'receipt-key.pem'

/** Reads the key kept in a directory; makes it on the first boot. */
export function keptReceiptKey(directory: string): KeyObject {
  const path = join(directory, FILE)
  return readReceiptKey(readText(path) ?? makeKeyFile(path))
}

/** Writes a new key whole or not at all; where another process was faster, its key stands. */
function makeKeyFile(path: string): string {
  const { privateKey } = generateKeyPairSync('ed25519')
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
