import { gzipSync } from 'node:zlib'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS, type ErrorCode } from '../../../src/errors.ts'
import { chunked, post, rawRequest } from './raw-request.ts'
import { PAID, type RestService, startRestService } from './rest-service.ts'

const PATH = '/api/validate/iban'
const PROOF = 'PAYMENT-SIGNATURE: cHJvb2Y='

let service: RestService
beforeAll(async () => {
  service = await startRestService()
})
afterAll(() => service.close())

/** Sends the same bad request unpaid and with a payment: the answer is the same, and no sale is made of it. */
async function expectRefused(
  body: string | Buffer,
  code: ErrorCode,
  headers: readonly string[] = [],
  meant = '',
) {
  const calls = service.script.calls.length
  for (const payment of [[], [PROOF]]) {
    const response = await rawRequest(service.port, post(PATH, body, [...headers, ...payment]))
    expect(response.status).toBe(ERRORS[code].status)
    // Of one with another type the first call shows the terms (below).
    const showsTerms = code === 'unsupported_media_type' && payment.length === 0
    expect(JSON.parse(response.body)).toEqual({
      ...(showsTerms ? { price: '$0.001', network: 'eip155:8453' } : {}),
      type: `https://checks.example/errors#${code}`,
      title: ERRORS[code].title,
      status: ERRORS[code].status,
      detail: ERRORS[code].detail + (meant && ` Did you mean "${meant}"?`),
      code,
      charged: false,
      retry: 'fix',
    })
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    if (showsTerms) continue
    expect(response.headers.link).toBe('<https://checks.example/openapi.json>; rel="service-desc"')
    expect(response.headers['payment-required']).toBeUndefined()
  }
  expect(service.script.calls).toHaveLength(calls)
}

/** Sends a request that must reach the sale, and returns the value that did. */
async function valueSold(body: string | Buffer, headers: readonly string[] = []) {
  const response = await rawRequest(service.port, post(PATH, body, [PROOF, ...headers]))
  expect(response.status).toBe(200)
  const call = service.script.calls.at(-1)?.call
  return call?.kind === 'value' ? call.items[0].value : undefined
}

describe('the body', () => {
  it.each<[string, string | Buffer, ErrorCode]>([
    ['is broken JSON', '{"value":"x"', 'not_json'],
    ['is white space', '  ', 'not_json'],
    ['is JSON with a comment', '{"value":"x"}//', 'not_json'],
    ['is not UTF-8', Buffer.from([...Buffer.from('{"value":"'), 0xc3, 0x28, 0x22, 0x7d]), 'not_json'],
    [
      'is an overlong UTF-8 form',
      Buffer.from([...Buffer.from('{"value":"'), 0xc0, 0xaf, 0x22, 0x7d]),
      'not_json',
    ],
    [
      'is a surrogate in UTF-8',
      Buffer.from([...Buffer.from('{"value":"'), 0xed, 0xa0, 0x80, 0x22, 0x7d]),
      'not_json',
    ],
    ['is UTF-16', Buffer.from('\ufeff{"value":"x"}', 'utf16le'), 'not_json'],
    ['is null', 'null', 'not_an_object'],
    ['is an array', '[{"value":"x"}]', 'not_an_object'],
    ['is a string', '"value"', 'not_an_object'],
    ['is a number', '1', 'not_an_object'],
    ['is an empty object', '{}', 'value_missing'],
    ['has another member only', '{"Value":"x"}', 'value_missing'],
    ['has its value inside __proto__', '{"__proto__":{"value":"x"}}', 'value_missing'],
    ['gives a text and then a number', '{"value":"x","value":5}', 'value_not_string'],
    ['is nested 4,000 deep', '['.repeat(4000) + ']'.repeat(4000), 'not_an_object'],
  ])('is refused when it %s', (_what, body, code) => expectRefused(body, code))

  it.each([
    ['country', ''],
    ['__proto__', ''],
    ['jankowalski', ''],
    ['DE89370400440532013000', ''],
    ['jan@firma.pl', ''],
    ['vaule', 'value'],
    ['Values', 'value'],
    ['VALUE', 'value'],
  ])('is refused for an unknown member without its name, and says which it is a slip of: %s', (member, meant) =>
    expectRefused(`{"value":"x","${member}":{}}`, 'unknown_field', [], meant))

  it('may start with a byte order mark', async () => {
    expect(await valueSold('\ufeff{"value":"x"}')).toBe('x')
  })

  it('gives the last of two members of one name', async () => {
    expect(await valueSold('{"value":1,"value":"first","value":"last"}')).toBe('last')
  })
})

describe('the value', () => {
  it.each(['5', 'null', 'true', '["x"]', '{"value":"x"}'])('is refused when it is %s', (value) =>
    expectRefused(`{"value":${value}}`, 'value_not_string'))

  it.each(['"\\ud83d"', '"x\\udc00y"', '"\\udc00\\ud800"'])('is refused with a lone surrogate: %s', (value) =>
    expectRefused(`{"value":${value}}`, 'value_not_unicode'))

  it('may have 512 code points and no more', async () => {
    await expectRefused(JSON.stringify({ value: 'x'.repeat(513) }), 'value_too_long')
    await expectRefused(JSON.stringify({ value: '\u{1f600}'.repeat(513) }), 'value_too_long')
    expect(await valueSold(JSON.stringify({ value: '\u{1f600}'.repeat(512) }))).toHaveLength(1024)
  })

  it('fits the body limit also when every code point is written in escapes', async () => {
    const body = `{"value":"${'\\ud83d\\ude00'.repeat(512)}"}`
    expect(await valueSold(body)).toBe('\u{1f600}'.repeat(512))
  })

  it.each(['', ' ', '\u0000', '\r\n'])('may be anything else of Unicode: %j', async (value) => {
    expect(await valueSold(JSON.stringify({ value }))).toBe(value)
  })
})

describe('the content type', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/problem+json',
    'application/jsonp',
    'application/json; charset=iso-8859-1',
    'application/json, text/plain',
    'application/json; =',
    'multipart/form-data; boundary=x',
  ])('is refused when it is %s', (type) =>
    expectRefused('{"value":"x"}', 'unsupported_media_type', [`Content-Type: ${type}`]))

  it('is refused when there is none', () =>
    expectRefused('{"value":"x"}', 'unsupported_media_type', ['Content-Type:']))

  it.each([
    'application/json; charset=utf-8',
    'Application/JSON;Charset="UTF-8"',
    'application/json;v=1',
  ])('may be %s', async (type) => {
    expect(await valueSold('{"value":"x"}', [`Content-Type: ${type}`])).toBe('x')
  })
})

describe('the content encoding', () => {
  it.each([
    'gzip',
    'br',
    'deflate',
    'GZIP',
    'identity, gzip',
    'x-unknown',
  ])('is refused when it is %s', (encoding) =>
    expectRefused(gzipSync('{"value":"x"}'), 'unsupported_content_encoding', [
      `Content-Encoding: ${encoding}`,
    ]))

  it('may be identity', async () => {
    expect(await valueSold('{"value":"x"}', ['Content-Encoding: identity'])).toBe('x')
  })
})

describe('the size', () => {
  const large = JSON.stringify({ value: 'x', filler: 'y'.repeat(9000) })

  it('is refused over 8 kB by the announced length', () => expectRefused(large, 'body_too_large'))

  it('is refused over 8 kB in chunks of unknown length', () =>
    expectRefused(chunked(large.slice(0, 5000), large.slice(5000)), 'body_too_large', [
      'Transfer-Encoding: chunked',
    ]))

  it('counts bytes, not what a compressed body would become', () =>
    expectRefused(gzipSync('0'.repeat(1_000_000)), 'unsupported_content_encoding', [
      'Content-Encoding: gzip',
    ]))

  it('may be reached to the byte', async () => {
    const body = '{"value":"x"}'.padEnd(8192)
    expect(await valueSold(body)).toBe('x')
    await expectRefused(`${body} `, 'body_too_large')
  })

  it('may come in chunks', async () => {
    expect(await valueSold(chunked('{"val', 'ue":"', '\u00e9"}'), ['Transfer-Encoding: chunked'])).toBe(
      '\u00e9',
    )
  })

  it('leaves the connection usable after a 413', async () => {
    const first = post(PATH, large).toString().replace('Connection: close\r\n', '')
    const both = first + post(PATH, '{"value":"x"}').toString()
    const { text } = await rawRequest(service.port, both)
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 402'])
  })
})

describe('a query string', () => {
  it.each(['?', '?value=x', '?value', '?a=1&b=2'])('is refused: %s', async (query) => {
    for (const headers of [[], [PROOF]]) {
      const response = await rawRequest(service.port, post(`${PATH}${query}`, '{"value":"x"}', headers))
      expect(response.status).toBe(400)
      expect(JSON.parse(response.body).code).toBe('query_not_allowed')
      expect(response.headers.link).toContain('/openapi.json')
    }
  })

  it('is refused before anything is said of the body', async () => {
    const response = await rawRequest(service.port, post(`${PATH}?x`, '', ['Content-Type: text/plain']))
    expect(JSON.parse(response.body).code).toBe('query_not_allowed')
  })
})

describe('a body of length 0', () => {
  it.each([
    [],
    ['Content-Type:'],
    ['Content-Type: text/plain'],
    ['Content-Encoding: gzip'],
  ])('without a payment is answered with the terms, whatever its headers: %s', async (...headers) => {
    const response = await rawRequest(service.port, post(PATH, '', headers))
    expect(response.status).toBe(402)
    expect(JSON.parse(response.body)).toMatchObject({ code: 'payment_required', price: '$0.001' })
    expect(response.headers['payment-required']).toBeDefined()
  })

  it('may be a chunked one, or one without any length', async () => {
    const empty = await rawRequest(service.port, post(PATH, chunked(), ['Transfer-Encoding: chunked']))
    expect(empty.status).toBe(402)
    const none = await rawRequest(
      service.port,
      `POST ${PATH} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    )
    expect(none.status).toBe(402)
  })

  it('is a bad request from one who pays', async () => {
    await expect(service.check('iban', '', PAID)).resolves.toMatchObject({ status: 400 })
    const typed = await service.check('iban', '', { ...PAID, 'Content-Type': 'text/plain' })
    expect([typed.status, typed.body.code]).toEqual([415, 'unsupported_media_type'])
    const coded = await service.check('iban', '', { ...PAID, 'Content-Encoding': 'gzip' })
    expect([coded.status, coded.body.code]).toEqual([415, 'unsupported_content_encoding'])
  })
})

describe('415', () => {
  it.each([
    'iban',
    'iban/batch',
    'batch',
  ])('shows the terms to a first call of %s, which is not sold', async (path) => {
    const calls = service.script.calls.length
    const typed = await service.check(path, '{"value":"x"}', { 'Content-Type': 'text/plain' })
    expect(typed.status).toBe(415)
    expect(JSON.parse(typed.text)).toMatchObject({
      code: 'unsupported_media_type',
      charged: false,
      detail: expect.stringContaining('Content-Type: application/json'),
      ...{ price: '$0.001', network: 'eip155:8453' },
    })
    const required = decodePaymentRequiredHeader(String(typed.headers['payment-required']))
    expect(required.accepts).toMatchObject([{ scheme: 'exact', amount: '1000' }])
    expect(service.script.calls).toHaveLength(calls)
  })

  it('shows no terms to a call that pays: its payment is still good', async () => {
    const calls = service.script.calls.length
    const typed = await service.check('iban', '{"value":"x"}', { ...PAID, 'Content-Type': 'text/plain' })
    expect(typed.status).toBe(415)
    expect(typed.headers).not.toHaveProperty('payment-required')
    expect(service.script.calls).toHaveLength(calls)
  })

  it('names the type that is read, or the encodings, and never both (RFC 9110, 12.5.3)', async () => {
    const typed = await service.check('iban', 'x', { 'Content-Type': 'text/plain' })
    expect([typed.status, typed.headers.accept]).toEqual([415, 'application/json'])
    expect(typed.headers).not.toHaveProperty('accept-encoding')
    const encoded = await service.check('iban', 'x', { 'Content-Encoding': 'gzip' })
    expect([encoded.status, encoded.headers['accept-encoding']]).toEqual([415, 'identity'])
    expect(encoded.headers).not.toHaveProperty('accept')
  })
})

describe('headers', () => {
  const withHeader = (size: number) => post(PATH, '{"value":"x"}', [`PAYMENT-SIGNATURE: ${'A'.repeat(size)}`])

  it('may be 20 kB long', async () => {
    expect((await rawRequest(service.port, withHeader(20_000))).status).toBe(200)
  })

  it('are refused over 32 kB', async () => {
    expect((await rawRequest(service.port, withHeader(40_000))).status).toBe(431)
  })
})
