import { type KeyObject, verify } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Verdict } from 'format-checker-checks/verdict'
import { listResult } from '../catalog/list-result.ts'
import { isObject, type JsonObject } from '../values/json.ts'
import { parseStrict } from '../values/strict-json.ts'
import { OFFER_RECEIPT } from './offer-receipt.ts'
import { saltedHash, sha256 } from './receipt-hashes.ts'
import { receiptIdentity } from './receipt-signer.ts'
import { RECEIPT_SALT, type ReceiptPayload, receiptExtension, settlementOf } from './signed-receipt.ts'

/** Nothing in it has been verified. */
export interface ReadReceipt {
  readonly signature: string
  readonly kid: string
  readonly payload: ReceiptPayload
  readonly salt: string | undefined
  /** The bytes that its hashes are of; null without them. */
  readonly request: Buffer | null
  readonly result: Buffer | null
}

/** The receipt is not genuine; the message is one sentence that quotes nothing. */
export class ReceiptFault extends Error {
  override readonly name = 'ReceiptFault'
}

/**
 * A settlement response, its extension, or the signed receipt alone; or an object with one of them as `receipt`, and
 * with `request` and `result`. Throws {@link ReceiptFault} if a member is missing, unknown or not what was signed.
 */
export function readReceipt(file: unknown): ReadReceipt {
  const { receipt = file, request, result, ...others } = 'receipt' in objectOf(file) ? objectOf(file) : {}
  if (Object.keys(others).length > 0)
    throw new ReceiptFault('The file has members besides receipt, request and result.')
  const { extra, ...given } = objectOf(receipt)
  const extensions = isObject(given.extensions) ? given.extensions : { [OFFER_RECEIPT]: given }
  const extension = objectOf(extensions[OFFER_RECEIPT])
  const signed = isObject(extension.info) ? objectOf(extension.info.receipt) : extension
  if (typeof signed.signature !== 'string') throw new ReceiptFault('The file holds no signed receipt.')
  const { signature } = signed
  const { kid, payload } = readJws(signature)
  const salt = saltIn(extensions)
  if (extra !== undefined && !isAccount(extra, payload))
    throw new ReceiptFault('The members beside the signed part differ from it.')
  const forms = [settlementOf(payload, signature, salt), receiptExtension(signature), signedOf(signature)]
  if (!forms.some((form) => isDeepStrictEqual(given, form)))
    throw new ReceiptFault('The members beside the signed part differ from it.')
  return {
    ...{ signature, kid, payload, salt },
    request: request === undefined ? null : bytesOf(requestOf(request)),
    result: result === undefined ? null : bytesOf(resultOf(result)),
  }
}

/** What a comparison says of a part that may be in the file. */
export type Comparison = 'matches' | 'not_compared'

declare const VERIFIED: unique symbol

/** A receipt that a key of kind `K` signed for its service. Only {@link verifyReceipt} makes one. */
export interface VerifiedReceipt<K extends KeyObject> extends Pick<ReadReceipt, 'kid' | 'payload'> {
  readonly [VERIFIED]: K
  readonly request: Comparison
  readonly result: Comparison
}

/**
 * Throws {@link ReceiptFault} unless `key` signed the receipt for its service, and the request and result in the file
 * are those that were sold.
 */
export function verifyReceipt<K extends KeyObject>(receipt: ReadReceipt, key: K): VerifiedReceipt<K> {
  const { signature, kid, payload } = receipt
  if (key.asymmetricKeyType !== 'ed25519' || receiptIdentity(key, payload.resourceUrl).kid !== kid)
    throw new ReceiptFault('The key is not the one that the receipt names for its service.')
  const end = signature.lastIndexOf('.')
  const mac = Buffer.from(signature.slice(end + 1), 'base64url')
  if (!verify(null, Buffer.from(signature.slice(0, end)), key, mac))
    throw new ReceiptFault('The signature does not match: the receipt was changed, or another key signed it.')
  return { kid, payload, ...compareParts(receipt) } as VerifiedReceipt<K>
}

/** Compares the request and the result in the file with the hashes in the receipt, by any signer. */
export const compareParts = ({ request, result, salt, payload }: ReadReceipt) => ({
  request: compare('request', request, salt, payload.requestHash),
  result: compare('result', result, salt, payload.resultHash),
})

function compare(
  name: string,
  bytes: Buffer | null,
  salt: string | undefined,
  hash: string | undefined,
): Comparison {
  if (bytes === null) return 'not_compared'
  if (salt === undefined)
    throw new ReceiptFault(`The ${name} cannot be compared without the salt of the receipt.`)
  if (saltedHash(Buffer.from(salt, 'hex'), sha256(bytes)) !== hash)
    throw new ReceiptFault(`The ${name} or the salt is not the one of this sale.`)
  return 'matches'
}

function readJws(signature: string): { readonly kid: string; readonly payload: ReceiptPayload } {
  const parts = signature.split('.')
  const bytes = parts.map((part) => Buffer.from(part, 'base64url'))
  const [head, body] = bytes
  // Decoding is lenient: a changed text may decode to the same bytes.
  const isExact = parts.length === 3 && bytes.every((part, at) => part.toString('base64url') === parts[at])
  if (!isExact || head === undefined || body === undefined)
    throw new ReceiptFault('The signed part is not a compact JWS.')
  const { alg, kid, ...others } = parse(head)
  const payload = parse(body) as JsonObject & Partial<ReceiptPayload>
  const isKnown = alg === 'EdDSA' && typeof kid === 'string' && payload.version === 1
  const { payer, payTo, network, transaction } = payload
  const areTexts = [payer, payTo, network, transaction].every((each) => typeof each === 'string')
  if (!isKnown || Object.keys(others).length > 0 || !areTexts || !isHttpUrl(payload.resourceUrl))
    throw new ReceiptFault('The signed part is not a receipt of this version.')
  if (!isAmount(payload.amount) || !isTime(payload.issuedAt))
    throw new ReceiptFault('The signed part is not a receipt of this version.')
  return { kid, payload: payload as ReceiptPayload }
}

/**
 * Not signed, because the state of a channel changes between two repetitions of an answer; only its price is in the
 * signed part.
 */
const isAccount = (extra: unknown, { amount }: ReceiptPayload): boolean =>
  isObject(extra) &&
  Object.keys(extra).every((name) => name === 'channelState' || name === 'chargedAmount') &&
  extra.chargedAmount === amount

function saltIn(extensions: JsonObject): string | undefined {
  const extension = extensions[RECEIPT_SALT]
  const salt = isObject(extension) && isObject(extension.info) ? extension.info.salt : undefined
  return typeof salt === 'string' && /^[0-9a-f]{32}$/.test(salt) ? salt : undefined
}

/** JSON as the service writes it: members as they come, no white space. */
const bytesOf = (json: unknown): Buffer => Buffer.from(JSON.stringify(json))

const signedOf = (signature: string) => receiptExtension(signature).info.receipt

/** With the members in the order in which they were hashed. */
function requestOf(request: unknown): unknown {
  const one = (part: unknown) => {
    const { type, value, ...others } = objectOf(part)
    if (Object.keys(others).length > 0)
      throw new ReceiptFault('A request has the members type and value only.')
    return { type, value }
  }
  return Array.isArray(request) ? request.map(one) : one(request)
}

/** A result as it was answered; of a list, the whole answer or its array of results. */
function resultOf(result: unknown): unknown {
  if (!isObject(result) || !Array.isArray(result.results)) return result
  const results = result.results.map((each) => objectOf(each)) as unknown as readonly Verdict[]
  if (!isDeepStrictEqual(listResult(results), result))
    throw new ReceiptFault('The counts of the list do not add up.')
  return results
}

function parse(bytes: Buffer): JsonObject {
  try {
    return objectOf(parseStrict(bytes))
  } catch {
    throw new ReceiptFault('The signed part is not JSON.')
  }
}

/** Refuses a user before the host, which a reader could take for the host. */
const isHttpUrl = (url: unknown): boolean =>
  typeof url === 'string' && /^https?:\/\/[^/@]+(?:\/|$)/.test(url) && URL.canParse(url)

const isAmount = (amount: unknown): boolean =>
  typeof amount === 'string' && /^(?:0|[1-9][0-9]{0,77})$/.test(amount)

/** UTC seconds up to the year 9999. */
const isTime = (time: unknown): boolean =>
  Number.isSafeInteger(time) && (time as number) >= 0 && (time as number) < 253_402_300_800

function objectOf(value: unknown): JsonObject {
  if (isObject(value)) return value
  throw new ReceiptFault('The file is not a receipt.')
}
