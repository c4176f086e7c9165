/** The small readers of a request: its version, method, payment signal, terms and weight. */
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import {
  offeredTerms,
  ownExtensions,
  readExtensionHeaders,
} from '../../../../src/surfaces/a2a/protocol/extensions.ts'
import {
  isMetadataKey,
  paysByOtherScheme,
  readPaymentSignal,
} from '../../../../src/surfaces/a2a/protocol/payment-metadata.ts'
import { readVersionClaim } from '../../../../src/surfaces/a2a/protocol/protocol-version.ts'
import type { RequestContext } from '../../../../src/surfaces/a2a/protocol/request-context.ts'
import { operationOf } from '../../../../src/surfaces/a2a/request/methods.ts'
import { isShallow, parseObject } from '../../../../src/surfaces/a2a/request/parse-object.ts'
import { hitsOf } from '../../../../src/surfaces/call/counter.ts'
import { ALL_SCHEMES_KEY } from '../../../../src/surfaces/call/request-options.ts'
import { X402_V01, X402_V02 } from '../a2a-client.ts'

const request = (url: string | undefined, headers: IncomingMessage['headers'] = {}) =>
  ({ url, headers }) as IncomingMessage

describe('the version that a request claims', () => {
  const claims = (url: string | undefined, header?: string) =>
    readVersionClaim(request(url, header === undefined ? {} : { 'a2a-version': header }))

  it('is that of its header, else of its query', () => {
    for (const text of ['1.0', '1.0.0', '1.0.1234', ' 1.0 ']) expect(claims('/a2a', text)).toBe('1.0')
    for (const text of ['0.3', '0.3.7']) expect(claims('/a2a?A2A-Version=1.0', text)).toBe('0.3')
    expect(claims('?a2a-version=+1.0+')).toBe('1.0')
    expect(claims('/a2a?A2A-VERSION=0.3', '  ')).toBe('0.3')
    for (const url of ['/a2a', '/a2a?', '/a2a?A2A-Version=', '', undefined])
      expect(claims(url)).toBe('unsaid')
  })

  it('is not supported unless it is 1.0 or 0.3, with a patch number or without', () => {
    for (const text of ['1', '1.0.', '1.0.12345', 'x1.0', '1.0x', '1x0', '11.0', '0.30'])
      expect([text, claims('/a2a', text)]).toEqual([text, 'unsupported'])
  })

  it('is all that a query may hold', () => {
    for (const query of ['x=1.0', 'A2A-Version=1.0&x=1', 'A2A-Version=1.0&A2A-Version=1.0'])
      expect(claims(`/a2a?${query}`, '1.0')).toBeUndefined()
  })
})

it('each method is an operation of its own version', () => {
  const of = (version: '1.0' | '0.3', ...methods: readonly string[]) =>
    methods.map((method) => operationOf(version, method))
  const operations = ['send', 'get', 'cancel', 'list']
  expect(of('1.0', 'SendMessage', 'GetTask', 'CancelTask', 'ListTasks')).toEqual(operations)
  expect(of('0.3', 'message/send', 'tasks/get', 'tasks/cancel')).toEqual(operations.slice(0, 3))
  for (const method of ['GetTask', 'tasks/list'])
    expect(operationOf('0.3', method)).toMatchObject({ error: { code: -32601 } })
})

it('terms are of x402 version 1 for the extension 0.1 alone, over A2A 0.3', () => {
  const offered = (version: '1.0' | '0.3', ...extensions: readonly string[]) =>
    offeredTerms({ version, extensions } as RequestContext)
  expect(offered('0.3', X402_V01)).toBe('1')
  for (const extensions of [[], [X402_V02], [X402_V01, X402_V02]])
    expect(offered('0.3', ...extensions)).toBe('2')
  expect(offered('1.0', X402_V01)).toBe('2')
})

it('extensions are read from either header, and named once, in the order of preference', () => {
  const headers = { 'a2a-extensions': `${X402_V01},x`, 'x-a2a-extensions': `${X402_V02}, ${X402_V01}` }
  expect(readExtensionHeaders(request('/', headers))).toEqual({
    uris: [X402_V01, X402_V02],
    headers: ['A2A-Extensions', 'X-A2A-Extensions'],
  })
  expect(readExtensionHeaders(request('/', { 'x-a2a-extensions': X402_V02 }))).toEqual({
    uris: [X402_V02],
    headers: ['X-A2A-Extensions'],
  })
  expect(readExtensionHeaders(request('/', { 'a2a-extensions': 'x' }))).toEqual({ uris: [], headers: [] })
  expect(ownExtensions(X402_V01)).toEqual([])
})

it('ten values of a list weigh as much as one request', () => {
  expect([1, 10, 11, 20, 21].map(hitsOf)).toEqual([1, 1, 2, 2, 3])
})

describe('the payment signal of a message', () => {
  const status = (word: string) => ({ 'x402.payment.status': word })
  const payload = (value: unknown) => ({ 'x402.payment.payload': value })

  it('needs a key of x402, and is aware with any', () => {
    for (const metadata of [undefined, {}, { skill: 'iban' }, { 'a.x402.': 1 }])
      expect(readPaymentSignal(metadata)).toEqual({ kind: 'none' })
    for (const metadata of [{ 'x402.payment.required': {} }, { skill: 'iban', 'x402.': 1 }, payload(null)])
      expect(readPaymentSignal(metadata)).toEqual({ kind: 'aware' })
    expect(readPaymentSignal(status('payment-required'))).toEqual({ kind: 'aware' })
  })

  it('is a payment with a payload, or with a status that says there is one', () => {
    const submitted = (rawPayment: object) => ({ kind: 'submitted', rawPayment })
    expect(readPaymentSignal(payload('e30='))).toEqual(submitted({ kind: 'text', text: 'e30=' }))
    expect(readPaymentSignal(payload(''))).toEqual(submitted({ kind: 'text', text: '' }))
    for (const given of [{ a: 1 }, 0, false])
      expect(readPaymentSignal(payload(given))).toEqual(submitted({ kind: 'object', payload: given }))
    const announced = status('payment-submitted')
    expect(readPaymentSignal(announced)).toEqual(submitted({ kind: 'object', payload: undefined }))
    expect(readPaymentSignal({ ...status('payment-required'), ...payload({}) })).toMatchObject({
      kind: 'submitted',
    })
  })

  it('is a rejection whatever comes with it', () => {
    expect(readPaymentSignal({ ...status('payment-rejected'), ...payload('e30=') })).toEqual({
      kind: 'rejected',
    })
  })

  it('is made of the keys of x402, of channels and of skills alone', () => {
    expect(
      ['x402.', 'x402.a', ALL_SCHEMES_KEY, 'skill', 'skillId'].filter((key) => !isMetadataKey(key)),
    ).toEqual([])
    expect(['x402', 'a.x402.', 'skills', 'type', ''].filter(isMetadataKey)).toEqual([])
  })

  it('pays over a channel, as an object or as base64 of one', () => {
    const channel = { accepted: { scheme: 'batch-settlement' } }
    expect(paysByOtherScheme(payload(channel))).toBe(true)
    expect(paysByOtherScheme(payload(Buffer.from(JSON.stringify(channel)).toString('base64')))).toBe(true)
    for (const other of ['e30=', '{}', '', null]) expect(paysByOtherScheme(payload(other))).toBe(false)
  })
})

it('JSON is read from a text that is one object, nested up to 48 levels', () => {
  const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
  expect([47, 48, 49].map((depth) => isShallow(nested(depth)))).toEqual([true, true, false])
  expect(isShallow({ a: 1, b: nested(47), c: nested(48) })).toBe(false)
  for (const leaf of [null, 'x', 1, undefined]) expect(isShallow(leaf, 0)).toBe(true)
  expect(parseObject(JSON.stringify(nested(48)))).toEqual(nested(48))
  for (const text of [' \n{"a":1}', '{"a":1} ']) expect(parseObject(text)).toEqual({ a: 1 })
  for (const text of ['', '[{}]', '"{}"', '1', '{', '{}x', JSON.stringify(nested(49))])
    expect([text, parseObject(text)]).toEqual([text, undefined])
})
