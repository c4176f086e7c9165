import { describe, expect, test } from 'vitest'
import { listResult } from '../../src/catalog/list-result.ts'
import { digestOf, saltedHash } from '../../src/receipts/receipt-hashes.ts'
import { newReceiptKey, readReceiptKey } from '../../src/receipts/receipt-key.ts'
import { createReceiptSigner } from '../../src/receipts/receipt-signer.ts'
import { type ReceiptPayload, signReceipt } from '../../src/receipts/signed-receipt.ts'
import { ReceiptFault, readReceipt, verifyReceipt } from '../../src/receipts/verify-receipt.ts'
import { firstExample, realRegistry } from '../support/registry.ts'

const BASE_URL = 'https://checks.example'
const privateKey = readReceiptKey(newReceiptKey())
const key = privateKey.publicKey
const signer = createReceiptSigner(privateKey, BASE_URL)

const [skill] = realRegistry().all
if (skill === undefined) throw new Error('no skill')
const { input } = firstExample(skill)
const request = { type: skill.id, value: String(input.value) }
const result = skill.check(request.value)
const salt = Buffer.from('00112233445566778899aabbccddeeff', 'hex')

const payloadFor = (asked: unknown, answered: unknown): ReceiptPayload => ({
  version: 1,
  network: 'eip155:8453',
  resourceUrl: `${BASE_URL}/api/validate/${skill.id}`,
  payer: '0x857b06519E91e3A54538791bDbb0E22373e36b66',
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  issuedAt: 1_763_683_200,
  transaction: `0x${'ab'.repeat(32)}`,
  amount: '1000',
  requestHash: saltedHash(salt, digestOf(asked)),
  resultHash: saltedHash(salt, digestOf(answered)),
})
const receipt = await signReceipt(signer, payloadFor(request, result), salt)

/** The fault of a file; null for a genuine one. Throws for any other error. */
function faultOf(file: unknown, by = key): string | null {
  try {
    verifyReceipt(readReceipt(file), by)
    return null
  } catch (error) {
    if (error instanceof ReceiptFault) return error.message
    throw error
  }
}

/** As the command reads a file. */
function faultInBytes(bytes: Buffer): string | null {
  let file: unknown
  try {
    file = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return 'not JSON'
  }
  return faultOf(file)
}

describe('a receipt of a payment channel', () => {
  const extra = { channelState: { channelId: `0x${'cd'.repeat(32)}` }, chargedAmount: '1000' }
  test('may have the state of the channel beside it, at the price that was signed', () => {
    expect(faultOf({ ...receipt, extra })).toBeNull()
    expect(faultOf({ ...receipt, extra: { ...extra, chargedAmount: '999' } })).toContain('differ')
    expect(faultOf({ ...receipt, extra: { ...extra, more: 1 } })).toContain('differ')
    expect(faultOf({ ...receipt, extra: null })).toContain('differ')
  })
})

describe('a genuine receipt', () => {
  const extension = receipt.extensions?.['offer-receipt'] as { info: { receipt: object } }
  test.each([
    ['with request and result', { receipt, request, result }],
    [
      'with the members of the request turned around',
      { receipt, request: { value: request.value, type: request.type } },
    ],
    ['the settlement response alone', receipt],
    ['its extension', extension],
    ['the signed receipt', extension.info.receipt],
  ])('is accepted: %s', (_name, file) => expect(faultOf(file)).toBeNull())

  test('of a list is accepted with the answer or the results alone', async () => {
    const ofList = await signReceipt(signer, payloadFor([request, request], [result, result]), salt)
    const answer = listResult([result, result])
    expect(faultOf({ receipt: ofList, request: [request, request], result: answer })).toBeNull()
    expect(faultOf({ receipt: ofList, result: [result, result] })).toBeNull()
    expect(faultOf({ receipt: ofList, result: { ...answer, valid: 7 } })).not.toBeNull()
  })
})

test('every changed bit of every byte is found', () => {
  const bytes = Buffer.from(JSON.stringify({ receipt, request, result }))
  expect(faultInBytes(bytes)).toBeNull()
  const missed: string[] = []
  for (const [at, byte] of bytes.entries()) {
    for (let bit = 0; bit < 8; bit += 1) {
      bytes[at] = byte ^ (1 << bit)
      if (faultInBytes(bytes) === null) missed.push(`${at}/${bit}`)
    }
    bytes[at] = byte
  }
  expect(missed).toEqual([])
})

test('every byte that is left out is found', () => {
  const bytes = Buffer.from(JSON.stringify({ receipt, request, result }))
  for (const at of bytes.keys())
    expect(
      faultInBytes(Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])),
      `${at}`,
    ).not.toBeNull()
})

test('the key of another service, or under another name, is refused', async () => {
  const other = readReceiptKey(newReceiptKey())
  expect(faultOf(receipt, other.publicKey)).toMatch(/key/)
  // A signer who names its own host for a sale of this one.
  const elsewhere = createReceiptSigner(other, 'https://evil.example')
  const forged = await signReceipt(elsewhere, payloadFor(request, result), salt)
  expect(faultOf(forged, other.publicKey)).toMatch(/key/)
})

test.each([
  null,
  [],
  'text',
  {},
  { receipt: null },
  { receipt: {} },
  { ...receipt, note: 'added' },
  { receipt, request, result, note: 'added' },
  { receipt, request: { ...request, note: 'added' } },
  { receipt, request: 7 },
  { receipt, result: { results: [null] } },
  { format: 'jws', signature: 'a.b.c' },
  { format: 'jws', signature: `${Buffer.from('null').toString('base64url')}.bnVsbA.` },
])('what is not a receipt is a fault and no crash: %j', (file) => expect(faultOf(file)).not.toBeNull())

test('request and result without a salt cannot be compared, and say so', async () => {
  const bare = await signReceipt(signer, payloadFor(request, result))
  expect(faultOf(bare)).toBeNull()
  expect(faultOf({ receipt: bare, request })).toMatch(/salt/)
})

test('guesses at the value find nothing without the salt', () => {
  const { requestHash, resultHash } = payloadFor(request, result)
  const digests = [digestOf(request), digestOf(result)]
  const guesses = digests.flatMap((digest) => [
    digest.toString('hex'),
    saltedHash(Buffer.alloc(0), digest),
    saltedHash(Buffer.alloc(16), digest),
  ])
  expect(guesses).not.toContain(requestHash)
  expect(guesses).not.toContain(resultHash)
})

test.each([
  ['amount', '0', true],
  ['amount', '9'.repeat(78), true],
  ['amount', '9'.repeat(79), false],
  ['amount', '', false],
  ['amount', '1.5', false],
  ['amount', 1000, false],
  ['issuedAt', 0, true],
  ['issuedAt', 253_402_300_799, true],
  ['issuedAt', 253_402_300_800, false],
  ['issuedAt', -1, false],
  ['issuedAt', 1.5, false],
  ['issuedAt', '1763683200', false],
  ['version', 2, false],
  ['resourceUrl', BASE_URL, true],
  ['resourceUrl', `${BASE_URL}/`, true],
  ['resourceUrl', 'https://checks.example@evil.example/', false],
  ['resourceUrl', ' https://checks.example/', false],
  ['resourceUrl', 'ftp://checks.example/', false],
  ['resourceUrl', 'https://', false],
  ['resourceUrl', 'https://checks.example:x/', false],
])('a signed receipt with the %s %j is one of this version: %s', async (member, value, isKnown) => {
  const payload = { ...payloadFor(request, result), [member]: value } as ReceiptPayload
  const fault = faultOf(await signReceipt(signer, payload, salt))
  if (isKnown) expect(fault).toBeNull()
  else expect(fault).toMatch(/not (?:a receipt of this version|JSON)/)
})
