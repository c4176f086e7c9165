import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Ledger } from '../../ledger/ledger.ts'
import { bindingKeyName } from '../../ledger/payments/binding-key.ts'
import type { NewPayment } from '../../ledger/payments/new-payment.ts'
import type { PaymentRow } from '../../ledger/payments/payment-row.ts'
import { HOUR_MS, oncePer } from '../../values/utc-days.ts'
import { decrypt, encrypt } from './aes-gcm.ts'
import type { Fingerprint, Fingerprints } from './fingerprint.ts'
import { type Keyring, macOver, sameBytes } from './keyring.ts'

export type Binding = Pick<NewPayment, 'salt' | 'binding' | 'bindingKey'>

/** Every method may reject with StoreUnavailable. */
export interface Bindings {
  bind(fingerprint: Fingerprint, now: number): Promise<Binding>
  /**
   * A restored backup or a failover may have lost the key of this hour; without it nothing that was bound in this hour
   * would match.
   */
  keep(now: number): Promise<void>
  /** Whether a row was claimed for this call; false once its binding or the key of its hour is deleted. */
  isBoundTo(row: Pick<PaymentRow, 'salt' | 'binding' | 'bindingKey'>, calls: Fingerprints): Promise<boolean>
  /**
   * 16 bytes for the hashes of the row's receipt, the same on every call; null once the key of its hour is deleted.
   */
  receiptSalt(row: Pick<PaymentRow, 'salt' | 'bindingKey'>): Promise<Buffer | null>
}

const MOST_KEYS = 30
const SALT_BYTES = 16
const RECEIPT_SALT = Buffer.from('receipt-salt')

/**
 * A new random key each hour, kept encrypted under SECRET_KEY until the replay window of its last binding ends.
 * Afterwards no guess can be tested against a binding, not even with the store and SECRET_KEY.
 */
export function createBindings(
  ledger: Pick<Ledger, 'findFact' | 'ensureFact' | 'replaceFact'>,
  keys: Keyring,
): Bindings {
  const cache = new Map<string, Promise<KeyObject | null>>()
  const nameAt = oncePer(HOUR_MS, bindingKeyName)

  /** Keeps no failed read. */
  const cached = (name: string, read: () => Promise<KeyObject | null>): Promise<KeyObject | null> => {
    const known = cache.get(name)
    if (known !== undefined) return known
    const key = read()
    cache.set(name, key)
    const forget = () => void (cache.get(name) === key && cache.delete(name))
    key.then((found) => found ?? forget(), forget)
    if (cache.size > MOST_KEYS) cache.delete(cache.keys().next().value as string)
    return key
  }
  /** During a rotation of SECRET_KEY, a key that was encrypted under the former secret is encrypted again. */
  const open = async (name: string, stored: string) => {
    const opened = unwrap(keys, name, stored)
    if (opened === null) return null
    if (opened.isFormer) await ledger.replaceFact(name, stored, wrap(keys, name, opened.content))
    return createSecretKey(opened.content)
  }
  const readKey = async (name: string) => {
    const stored = await ledger.findFact(name)
    return stored === null ? null : open(name, stored)
  }
  const readOrWrite = async (name: string, content: () => Buffer) =>
    (await readKey(name)) ?? open(name, await ledger.ensureFact(name, wrap(keys, name, content())))

  return {
    async bind(fingerprint, now) {
      const bindingKey = nameAt(now)
      const key = await cached(bindingKey, () => readOrWrite(bindingKey, () => randomBytes(32)))
      if (key === null) throw new Error('the binding key of this hour was written under another SECRET_KEY')
      const salt = randomBytes(SALT_BYTES)
      return { salt, binding: macOver(key, [salt, fingerprint]), bindingKey }
    },
    async keep(now) {
      const name = nameAt(now)
      const key = await cache.get(name)
      if (key == null) return
      const present = await readOrWrite(name, () => key.export())
      if (present !== null && !present.equals(key)) cache.set(name, Promise.resolve(present))
    },
    async isBoundTo({ salt, binding, bindingKey }, calls) {
      if (salt === null || binding === null || bindingKey === null) return false
      const key = await cached(bindingKey, () => readKey(bindingKey))
      if (key === null) return false
      let bound = false
      for (const fingerprint of calls) bound = sameBytes(macOver(key, [salt, fingerprint]), binding) || bound
      return bound
    },
    async receiptSalt({ salt, bindingKey }) {
      if (salt === null || bindingKey === null) return null
      const key = await cached(bindingKey, () => readKey(bindingKey))
      return key === null ? null : macOver(key, [RECEIPT_SALT, salt]).subarray(0, SALT_BYTES)
    },
  }
}

function wrap(keys: Keyring, name: string, content: Buffer): string {
  const [key] = keys.derive('binding-key', Buffer.from(name))
  return encrypt(key, content).toString('base64')
}

/** Null if no secret in use opens it; `isFormer` if the previous one does. */
function unwrap(
  keys: Keyring,
  name: string,
  text: string,
): { readonly content: Buffer; readonly isFormer: boolean } | null {
  const bytes = Buffer.from(text, 'base64')
  for (const [index, key] of keys.derive('binding-key', Buffer.from(name)).entries()) {
    const content = decrypt(key, bytes)
    if (content !== null) return { content, isFormer: index > 0 }
  }
  return null
}
