import { join } from 'node:path'
import Database from 'better-sqlite3'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERRORS, type ErrorCode } from '../../src/errors.ts'
import { freshAccount } from '../support/chain-payments.ts'
import { encodeHeader, payloadFor } from '../support/payment-header.ts'
import { startTestService, type TestService } from '../support/sandbox-service.ts'
import { post, rawRequest } from '../surfaces/rest/raw-request.ts'
import { bentHeaders } from './bent-headers.ts'

const PATH = '/api/validate/iban'
const VALID = 'DE89370400440532013000'
const GOOD_BODY = JSON.stringify({ value: VALID })

let service: TestService
let payment: string
beforeAll(async () => {
  service = await startTestService()
  payment = await service.pay()
})
afterAll(() => service.stop())

const send = (request: Buffer) => rawRequest(service.port, request)

/** What is said behind the sentence of a code, where it can name what is wrong. */
const NAMED: Partial<Record<ErrorCode, RegExp>> = {
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
