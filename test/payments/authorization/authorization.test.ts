import { expect, test } from 'vitest'
import { parseSignedAuthorization } from '../../../src/payments/authorization/authorization.ts'

const payload = {
  authorization: {
    ...{ from: `0x${'ab'.repeat(20)}`, to: `0x${'cd'.repeat(20)}`, nonce: `0x${'ef'.repeat(32)}` },
    ...{ value: '1000', validAfter: '0', validBefore: '1800000000' },
  },
  signature: `0x${'12'.repeat(65)}`,
}
const LARGEST = 2n ** 256n - 1n

test.each<[unknown, bigint | null]>([
  ['0', 0n],
  ['9', 9n],
  [String(LARGEST), LARGEST],
  [String(LARGEST + 1n), null],
  [`1${'0'.repeat(78)}`, null],
  ['', null],
  ['01', null],
  [' 1', null],
  ['1 ', null],
  ['-1', null],
  ['0x1', null],
  [0, 0n],
  [Number.MAX_SAFE_INTEGER, BigInt(Number.MAX_SAFE_INTEGER)],
  [Number.MAX_SAFE_INTEGER + 1, null],
  [1.5, null],
  [-1, null],
  [null, null],
])('the number %j is read as %s, whichever member it is', (given, read) => {
  for (const name of ['value', 'validAfter', 'validBefore'] as const) {
    const authorization = { ...payload.authorization, [name]: given }
    const parsed = parseSignedAuthorization({ ...payload, authorization })
    expect(parsed?.authorization[name] ?? null).toBe(read)
  }
})

test('a signature has at most 16,384 characters', () => {
  const long = `0x${'ab'.repeat(8_191)}`
  expect(parseSignedAuthorization({ ...payload, signature: long })?.signature).toBe(long)
  expect(parseSignedAuthorization({ ...payload, signature: `${long}ab` })).toBeNull()
})

test.each([
  'from',
  'to',
  'nonce',
  'value',
  'validAfter',
  'validBefore',
])('without %s nothing is read', (name) => {
  const authorization = { ...payload.authorization, [name]: undefined }
  expect(parseSignedAuthorization({ ...payload, authorization })).toBeNull()
})

test('hex of any case is read as lower case', () => {
  const { from, to, nonce } = payload.authorization
  const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`
  const spelled = { ...payload.authorization, from: upper(from), to: upper(to), nonce: upper(nonce) }
  const parsed = parseSignedAuthorization({
    authorization: spelled,
    signature: upper(`0x${'ab'.repeat(65)}`),
  })
  expect(parsed?.authorization).toMatchObject({ from, to, nonce })
  expect(parsed?.signature).toBe(`0x${'ab'.repeat(65)}`)
})

test.each([null, 'text', [], 7])('an authorization that is %j is not read', (authorization) => {
  expect(parseSignedAuthorization({ ...payload, authorization })).toBeNull()
})

test.each(['from', 'to', 'nonce'] as const)('%s of another length or alphabet is not read', (name) => {
  const text = payload.authorization[name]
  for (const bent of [`${text}0`, `${text}00`, text.slice(0, -2), text.slice(2), `${text.slice(0, -1)}g`]) {
    const authorization = { ...payload.authorization, [name]: bent }
    expect(parseSignedAuthorization({ ...payload, authorization })).toBeNull()
  }
})
