import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/checks/checks.ts'
import { ERRORS, type ErrorCode } from '../../src/errors.ts'
import { freshAccount } from '../support/chain-payments.ts'
import { encodeHeader, payloadFor } from '../support/payment-header.ts'
import { startTestService, type TestService } from '../support/sandbox-service.ts'
import { chunked, post, rawRequest } from '../surfaces/rest/raw-request.ts'
import { bentHeaders } from './bent-headers.ts'

const PATH = '/api/validate/iban'
const VALID = 'DE89370400440532013000'
const GOOD_BODY = JSON.stringify({ value: VALID })

let service: TestService
/** A payment that every bad request carries, and that buys a check in the end: none of them has used it. */
let payment: string
beforeAll(async () => {
  service = await startTestService()
  payment = await service.pay()
})
afterAll(() => service.stop())

const send = (request: Buffer) => rawRequest(service.port, request)

/** What is said behind the sentence of a code, where it can name what is wrong. */
const NAMED: Partial<Record<ErrorCode, RegExp>> = {
  unknown_field: /^ Unknown here: "(?:country|__proto__)"\.$/,
  payment_terms_mismatch:
    /^ The member "(?:accepted|payload\.authorization)\.\w+" differs from the offered terms\.$/,
  payment_invalid_signature:
    /^(?: It must be signed under the EIP-712 domain name "USD Coin", version "2", .+\.)?$/,
}

/** Holds an answer against the table, and the books against what they were. */
async function expectFree(request: Buffer, code: ErrorCode): Promise<void> {
  const before = await service.books()
  const { status, headers, body } = await send(request)
  expect(status).toBe(ERRORS[code].status)
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
  const { type, title, detail } = JSON.parse(body)
  expect(JSON.parse(body)).toMatchObject({ code, status })
  expect([type, title]).toEqual([expect.stringContaining(code), ERRORS[code].title])
  expect(detail.slice(0, ERRORS[code].detail.length)).toBe(ERRORS[code].detail)
  expect(detail.slice(ERRORS[code].detail.length)).toMatch(NAMED[code] ?? /^$/)
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  expect(headers['payment-required'] !== undefined).toBe(status === 402)
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['payment-response']).toBeUndefined()
  expect(await service.books()).toEqual(before)
}

describe('a bad request with a good payment', () => {
  const paid = (body: string | Buffer, headers: readonly string[] = [], target = PATH) =>
    post(target, body, [`PAYMENT-SIGNATURE: ${payment}`, ...headers])

  test.each<[string, () => Buffer, ErrorCode]>([
    ['no body', () => paid(''), 'not_json'],
    ['broken JSON', () => paid('{"value":"x"'), 'not_json'],
    ['JSON null', () => paid('null'), 'not_an_object'],
    ['a JSON array', () => paid(`[${GOOD_BODY}]`), 'not_an_object'],
    ['a JSON string', () => paid(`"${VALID}"`), 'not_an_object'],
    ['an empty object', () => paid('{}'), 'value_missing'],
    ['the value in __proto__', () => paid(`{"__proto__":${GOOD_BODY}}`), 'value_missing'],
    ['a number as value', () => paid('{"value":5}'), 'value_not_string'],
    ['null as value', () => paid('{"value":null}'), 'value_not_string'],
    ['an array as value', () => paid(`{"value":["${VALID}"]}`), 'value_not_string'],
    ['an object as value', () => paid(`{"value":${GOOD_BODY}}`), 'value_not_string'],
    ['a doubled key, the last a number', () => paid(`{"value":"${VALID}","value":5}`), 'value_not_string'],
    ['513 code points', () => paid(JSON.stringify({ value: '\u{1f600}'.repeat(513) })), 'value_too_long'],
    ['a lone surrogate', () => paid('{"value":"\\ud83d"}'), 'value_not_unicode'],
    ['a surrogate pair in the wrong order', () => paid('{"value":"\\udc00\\ud800"}'), 'value_not_unicode'],
    ['an unknown key', () => paid(`{"value":"${VALID}","country":"DE"}`), 'unknown_field'],
    ['a key __proto__', () => paid(`{"value":"${VALID}","__proto__":{"x":1}}`), 'unknown_field'],
    ['a query string', () => paid(GOOD_BODY, [], `${PATH}?value=${VALID}`), 'query_not_allowed'],
    ['an empty query string', () => paid(GOOD_BODY, [], `${PATH}?`), 'query_not_allowed'],
    ['another content type', () => paid(GOOD_BODY, ['Content-Type: text/plain']), 'unsupported_media_type'],
    ['no content type', () => paid(GOOD_BODY, ['Content-Type:']), 'unsupported_media_type'],
    [
      'another charset',
      () => paid(GOOD_BODY, ['Content-Type: application/json; charset=latin1']),
      'unsupported_media_type',
    ],
    [
      'a compressed body',
      () => paid(gzipSync(GOOD_BODY), ['Content-Encoding: gzip']),
      'unsupported_content_encoding',
    ],
    ['9 kB', () => paid(GOOD_BODY.padEnd(9_000)), 'body_too_large'],
    [
      '9 kB in chunks',
      () => paid(chunked(GOOD_BODY, ' '.repeat(9_000)), ['Transfer-Encoding: chunked']),
      'body_too_large',
    ],
    ['an unknown type', () => paid(GOOD_BODY, [], '/api/validate/us-ssn'), 'unknown_type'],
    ['an unknown path', () => paid(GOOD_BODY, [], '/api/validate/iban/x'), 'not_found'],
    ['two slashes at the end', () => paid(GOOD_BODY, [], `${PATH}//`), 'not_found'],
    ['a doubled slash', () => paid(GOOD_BODY, [], '/api/validate//iban'), 'not_found'],
    ['an encoded letter', () => paid(GOOD_BODY, [], '/api/validate/%69ban'), 'unknown_type'],
  ])('%s', (_what, request, code) => expectFree(request(), code))

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])('%s', async (method) => {
    const before = await service.books()
    const request = paid(GOOD_BODY).toString().replace('POST', method)
    const { status, headers, body } = await send(Buffer.from(request))
    expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS'])
    expect(method === 'HEAD' ? body : JSON.parse(body).code).toBe(
      method === 'HEAD' ? '' : 'method_not_allowed',
    )
    expect(await service.books()).toEqual(before)
  })

  test('headers of 40 kB', async () => {
    const before = await service.books()
    const { status, headers, body } = await send(paid(GOOD_BODY, [`X-Long: ${'x'.repeat(40_000)}`]))
    expect([status, headers['content-type']]).toEqual([431, 'application/problem+json; charset=utf-8'])
    expect(JSON.parse(body).status).toBe(431)
    expect(await service.books()).toEqual(before)
  })

  test('none of them has used the payment', async () => {
    const response = await service.check('iban', VALID, { 'PAYMENT-SIGNATURE': payment })
    expect(response.status).toBe(200)
    expect(response.headers.get('payment-replayed')).toBeNull()
  })
})

describe('a good request with a bad payment', () => {
  const unpaidBy = (...headers: string[]) => post(PATH, GOOD_BODY, headers)

  test.each<[string, () => Buffer, ErrorCode]>([
    ['none', () => unpaidBy(), 'payment_required'],
    ['an empty header', () => unpaidBy('PAYMENT-SIGNATURE:'), 'payment_required'],
    ['bad base64', () => unpaidBy('PAYMENT-SIGNATURE: %%%'), 'payment_malformed'],
    ['20 kB of base64', () => unpaidBy(`PAYMENT-SIGNATURE: ${'A'.repeat(20_000)}`), 'payment_malformed'],
    [
      'JSON of the wrong shape',
      () => unpaidBy(`PAYMENT-SIGNATURE: ${encodeHeader([1, 2])}`),
      'payment_malformed',
    ],
    [
      'two headers',
      () => unpaidBy(`PAYMENT-SIGNATURE: ${payment}`, `PAYMENT-SIGNATURE: ${payment}`),
      'payment_malformed',
    ],
    ['bad base64 in X-PAYMENT', () => unpaidBy('X-PAYMENT: %%%'), 'payment_malformed'],
    [
      'version 3 in X-PAYMENT',
      () => unpaidBy(`X-PAYMENT: ${encodeHeader({ x402Version: 3 })}`),
      'payment_version_unsupported',
    ],
  ])('%s', (_what, request, code) => expectFree(request(), code))

  test.each(bentHeaders())('%s', async (_what, make, code) => {
    await expectFree(unpaidBy(`PAYMENT-SIGNATURE: ${await make(service.buyer, service.sandbox.payTo)}`), code)
  })

  test('a refusal for time says what time it is', async () => {
    const header = await service.pay({ validBefore: '1700000000' })
    const asked = Math.floor(Date.now() / 1000)
    const response = await service.check('iban', VALID, { 'PAYMENT-SIGNATURE': header })
    const { serverTime } = (await response.json()) as { serverTime: number }
    expect(serverTime).toBeGreaterThanOrEqual(asked)
    expect(serverTime).toBeLessThanOrEqual(Date.now() / 1000)
  })

  test('a payer without the money learns so, and is not charged once they have some again', async () => {
    const account = freshAccount()
    const header = encodeHeader(await payloadFor(account, service.sandbox.payTo))
    const before = await service.books()
    const refused = await service.check('iban', VALID, { 'PAYMENT-SIGNATURE': header })
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      402,
      'payment_insufficient_funds',
    ])
    await service.sandbox.fund(account.address, 1_500n)
    expect((await service.books()).payee).toBe(before.payee)
    expect(await service.balance(account.address)).toBe(1_500n)
  })
})

describe('a good request', () => {
  test('with a doubled key is sold for its last value', async () => {
    const header = await service.pay()
    const body = `{"value":5,"value":"first","value":"${VALID}"}`
    const { status, body: text } = await send(post(PATH, body, [`PAYMENT-SIGNATURE: ${header}`]))
    expect([status, text]).toEqual([200, JSON.stringify(CHECKS.iban(VALID))])
    // The row is bound to that value: a reader who took another one would be refused.
    const again = await service.check('iban', VALID, { 'PAYMENT-SIGNATURE': header })
    expect([again.status, again.headers.get('payment-replayed')]).toEqual([200, 'true'])
  })

  test.each([
    '',
    '\u0000',
    ' '.repeat(512),
  ])('may ask for %j, and gets a verdict for its money', async (value) => {
    const response = await service.check('iban', value, { 'PAYMENT-SIGNATURE': await service.pay() })
    expect([response.status, ((await response.json()) as { valid: boolean }).valid]).toEqual([200, false])
  })

  test('with a payment of another call is 409 without terms, for type and for value', async () => {
    const header = { 'PAYMENT-SIGNATURE': await service.pay() }
    await service.check('iban', VALID, header)
    const before = await service.books()
    for (const [type, value] of [
      ['pl-nip', VALID],
      ['iban', 'another'],
    ] as const) {
      const response = await service.check(type, value, header)
      expect(response.status).toBe(409)
      expect(response.headers.get('payment-required')).toBeNull()
      expect(await response.json()).toMatchObject({ code: 'payment_already_used' })
    }
    expect(await service.books()).toEqual(before)
  })

  test('is 503 while the store does not answer, and is sold when it does again', async () => {
    const header = { 'PAYMENT-SIGNATURE': await service.pay() }
    const before = await service.books()
    const path = join(service.dataDir, `ledger-${service.sandbox.chainName}`, 'ledger.sqlite')
    const other = new Database(path)
    other.exec('BEGIN IMMEDIATE')
    const response = await service.check('iban', VALID, header)
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.json()).toMatchObject({ code: 'store_unavailable' })
    other.exec('ROLLBACK')
    other.close()
    expect(await service.books()).toEqual(before)
    expect((await service.check('iban', VALID, header)).status).toBe(200)
  })
})

test('too many unpaid requests are 429 with the time to wait; who pays passes', async () => {
  const limited = await startTestService({ RATE_LIMIT_UNPAID: '3' })
  const statuses = []
  for (let round = 0; round < 4; round++) statuses.push((await limited.check('iban', VALID)).status)
  expect(statuses).toEqual([402, 402, 402, 429])
  const blocked = await limited.check('iban', VALID)
  expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await blocked.json()).toMatchObject({ code: 'too_many_requests' })
  const paid = await limited.check('iban', VALID, { 'PAYMENT-SIGNATURE': await limited.pay() })
  expect(paid.status).toBe(200)
  await limited.stop()
})
