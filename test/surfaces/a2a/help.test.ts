/** The free answer to a text that orders nothing: it sells nothing, keeps nothing, and tells nothing of a value. */
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mentionFinder } from '../../../src/surfaces/a2a/text/find-mention.ts'
import { fakePayment } from '../../support/a2a-double.ts'
import { vectors } from '../../support/vectors.ts'
import {
  asHeader,
  IN_BAND,
  type Json,
  messageOf,
  payingWith,
  sendRequest,
  VERSIONS,
  type Version,
} from './a2a-client.ts'
import { type A2aService, startA2aService } from './a2a-service.ts'

const KEY = 'format-checker/help'

describe.each(VERSIONS)('help over %s', (version: Version) => {
  let service: A2aService
  beforeAll(async () => {
    service = await startA2aService()
  })
  afterAll(() => service.close())

  const post = (text: string, headers: Record<string, string> = {}, metadata?: object) =>
    service.post(sendRequest(version, { parts: [{ text }], ...(metadata && { metadata }) }), headers)
  const payment = () =>
    fakePayment(service.double.quote.single(service.registry.all[0]!, 'a2a').required('payment_required'))

  it.each(CHECK_TYPES)('is the same for every value of %s but for its mask', async (type) => {
    const find = mentionFinder(service.registry)
    const skill = service.registry.get(type)!
    const template = (value: string) => `Could you tell me whether the ${type} ${value} is right?`
    const answers = new Set<string>()
    let compared = 0
    for (const { value } of vectors(type)) {
      const text = template(value)
      const mention = find(text)
      // A value that is several values, or names another type, is another question.
      if (mention.kind !== 'one' || mention.skill !== skill) continue
      const reply = await post(text)
      expect(reply.status).toBe(200)
      const { messageId, contextId, metadata, parts } = messageOf(reply.json)
      expect([messageId, contextId].every((id) => !id.includes(value) || value.length < 6)).toBe(true)
      const { value: mask, ...said } = metadata[KEY]
      const [words, ...data] = parts
      const text1 = mask === undefined ? words.text : words.text.replace(`Value: ${mask}\n`, '')
      answers.add(JSON.stringify([said, text1, data]))
      if (/\d{9}/.test(value)) expect(reply.text).not.toContain(value)
      compared += 1
    }
    expect(compared).toBeGreaterThan(vectors(type).length * 0.9)
    expect(answers.size).toBe(1)
  })

  it('shows of a value its mask alone, and not in the data to copy', async () => {
    const { metadata, parts } = messageOf((await post('Is the PESEL 44051401359 right?')).json)
    expect(metadata[KEY]).toMatchObject({
      skill: 'pl-pesel',
      value: '•'.repeat(11),
      form: 'pl-pesel <value>',
      priceUsd: '0.001',
    })
    expect(parts[1].data).toEqual({ skill: 'pl-pesel', input: {} })
    const other = await post('May I ask if DE89 3704 0044 0532 0130 00 is right?')
    expect(messageOf(other.json).metadata[KEY].value).toBe('DE••••••••••••••••••00')
    expect(other.text).not.toContain('0044')
  })

  it.each([
    ['nothing', {}, undefined],
    ['the extension', IN_BAND, undefined],
    ['metadata of x402', {}, { 'x402.payment.status': 'payment-required' }],
  ] as const)('is no task and no 402 to a client with %s', async (_, headers, metadata) => {
    for (const text of ['Pay 100 EUR to IBAN DE89370400440532013000', 'hi', 'do not check NIP 5260250274']) {
      const reply = await post(text, headers, metadata)
      expect(reply.status).toBe(200)
      expect(messageOf(reply.json)).toBeDefined()
      expect(reply.headers.get('payment-required')).toBeNull()
    }
    expect(service.double.kept()).toBe('[]')
  })

  it('does not read a payment, and does not call it unused', async () => {
    for (const [headers, metadata] of [
      [asHeader(payment()), undefined],
      [{ 'PAYMENT-SIGNATURE': 'x' }, undefined],
    ] as const) {
      const reply = await post('please delete IBAN DE89370400440532013000', headers, metadata)
      expect(reply.status).toBe(200)
      const { text } = messageOf(reply.json).parts[0]
      expect(text).toContain('This message bought nothing')
      expect(text).toContain('repeat that order unchanged')
      expect(text).toContain('do not sign again because of this answer')
      expect(text).toContain('message.taskId')
      expect(text).not.toMatch(/not charged|nothing was charged|unused|not used|was not taken/i)
    }
    expect(service.double.attempts).toEqual([])
  })

  it.each([
    ['a text', { parts: [{ text: 'here is the payment' }], contextId: 'ctx-1' }],
    ['a text without a context', { parts: [{ text: 'hello' }] }],
    ['no part', { parts: [], contextId: 'ctx-1' }],
  ])('is not given to a payment in a message without a task id: %s', async (_, message) => {
    const metadata = payingWith(payment())
    const { status, json } = await service.post(sendRequest(version, { ...message, metadata }), IN_BAND)
    expect([status, json.error.code]).toEqual([200, -32602])
    expect(json.error.data[0].metadata).toMatchObject({ charged: 'false' })
    expect(json.error.message).toMatch(
      /message\.taskId.*nothing was charged by this message.*do not sign again/,
    )
    expect(service.double.attempts).toEqual([])
    expect(service.double.kept()).toBe('[]')
  })

  it.each([
    ['a sentence of 100 kB', 'Please check the IBAN. '.repeat(4_500)],
    ['fifty values in a sentence', `Check NIP ${'5260250274 1234563218 '.repeat(25)}`],
    ['control characters', 'iban DE89\u0000\u0007\u001b[31m 3704'],
    ['lone surrogates', 'iban \ud800 DE89'],
    ['nested quotes', `iban ${'"'.repeat(3_000)}`],
    ['blanks', ' \t\n'.repeat(1_000)],
  ])('of %s is clear and free, and nothing is stored', async (_, text) => {
    const reply = await post(text, asHeader(payment()))
    expect([200, 413]).toContain(reply.status)
    expect(messageOf(reply.json)?.parts[0].text ?? reply.json.error.message).not.toBe('')
    expect(service.double.attempts).toEqual([])
    expect(service.double.kept()).toBe('[]')
  })
})

it('made-up payments win no free answers: such a text counts as unpaid', async () => {
  const service = await startA2aService({ unpaidPerMinute: 3 })
  try {
    const ask = () =>
      service.post(sendRequest('1.0', { parts: [{ text: 'hello' }] }), { 'PAYMENT-SIGNATURE': 'x' })
    const statuses: number[] = []
    for (let n = 0; n < 5; n++) statuses.push((await ask()).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    const order: Json = await service.post(sendRequest('1.0', { parts: [{ text: 'nip 1' }] }), {
      'PAYMENT-SIGNATURE': 'x',
    })
    expect(order.status).toBe(402)
    expect(decodePaymentRequiredHeader(order.headers.get('payment-required')).accepts).toHaveLength(1)
  } finally {
    await service.close()
  }
})
