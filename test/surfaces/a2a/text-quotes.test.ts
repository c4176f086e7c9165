/** What an order in words is answered with before anything is sold, and that nothing of it is kept or handed on. */
import { x402Client } from '@x402/core/client'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { quoteOfText } from '../../../src/surfaces/a2a/task/text-quote.ts'
import { fakePayment } from '../../support/a2a-double.ts'
import { realRegistry } from '../../support/registry.ts'
import { startTestService } from '../../support/sandbox-service.ts'
import { storedBytes } from '../../support/stored-bytes.ts'
import {
  asHeader,
  IN_BAND,
  type Json,
  messageOf,
  order,
  payingWith,
  payRequest,
  sendRequest,
  stateOf,
  taskOf,
  taskRequest,
  VERSIONS,
  verdictOf,
} from './a2a-client.ts'
import { type A2aService, startA2aService } from './a2a-service.ts'

const KEY = 'format-checker/quote'

describe.each(VERSIONS)('an order in words over %s', (version) => {
  let service: A2aService
  beforeAll(async () => {
    service = await startA2aService()
  })
  afterAll(() => service.close())

  const post = (text: string, headers: Record<string, string> = {}, metadata?: object) =>
    service.post(sendRequest(version, { parts: [{ text }], ...(metadata && { metadata }) }), headers)
  const quoteInBand = async (text: string): Promise<Json> =>
    taskOf((await post(text, IN_BAND)).json).status.message

  it.each([
    ['Check IBAN DE89 3704 0044 0532 0130 00', 'iban', 'DE••••••••••••••••3000', true],
    ['Check IBAN DE89 3704 0044 0532 0130 01', 'iban', 'DE••••••••••••••••3001', true],
    ['check vat DE136695976', 'eu-vat', 'DE•••••5976', true],
    ['NIP 526-025-02-74', 'pl-nip', '52••••0274', true],
    ['verify regon 123456785', 'pl-regon', '12•••6785', true],
    ['Is PESEL 44051401359 valid?', 'pl-pesel', '•••••••••••', true],
    ['Is PESEL 44051401358 valid?', 'pl-pesel', '•••••••••••', true],
    ['is 12345 a valid NIP?', 'pl-nip', '•••••', true],
    ['check NIP 44051401359', 'pl-nip', '•••••••••••', true],
    ['check PESEL 4405140135', 'pl-pesel', '••••••••••', true],
    ['check PESEL 440514013591', 'pl-pesel', '••••••••••••', true],
    ['check email anna.nowak@example.com', 'email', '•••@example.com', true],
    ['check email anna@@', 'email', '••••••', true],
    ['Delete PESEL 44051401359 from your logs', 'pl-pesel', '•••••••••••', false],
    ['Pay 100 EUR to IBAN DE89370400440532013000', 'iban', 'DE••••••••••••••••3000', false],
  ])('is quoted in band, in words and data: %s', async (text, skill, value, certain) => {
    const { metadata, parts } = await quoteInBand(text)
    expect(metadata[KEY]).toEqual({ skill, value, certain, priceUsd: '0.001' })
    expect(parts[0].text).toContain(`Check ${skill} ${value} for USD 0.001?`)
    expect(parts[0].text.includes('ask the user before you pay')).toBe(!certain)
    expect(JSON.stringify(metadata['x402.payment.required'])).not.toContain('•')
  })

  it('in a data part needs no quote', async () => {
    const reply = await service.post(sendRequest(version, { parts: [order('iban', 'x')] }), IN_BAND)
    expect(reply.text).not.toContain(KEY)
  })

  it('is shown its quote once: the stored task has nothing of it', async () => {
    const { id } = taskOf((await post('check nip 5260250274', IN_BAND)).json)
    const shown = await service.post(taskRequest(version, 'get', id))
    expect(shown.text).not.toContain('52••••0274')
    expect(service.double.kept()).not.toContain('52••••0274')
  })

  it('that plainly asks gets a 402 whose error asks the question', async () => {
    const reply = await post('check nip 5260250274')
    expect(reply.status).toBe(402)
    const question = 'Check pl-nip 52••••0274 for USD 0.001?'
    expect(reply.json.error.message.startsWith(question)).toBe(true)
    expect(reply.json.error.data[0].metadata).toMatchObject({
      skill: 'pl-nip',
      value: '52••••0274',
      certain: 'true',
    })
    const { error, ...copied } = decodePaymentRequiredHeader(reply.headers.get('payment-required') ?? '')
    expect(error).toBe(question)
    expect(JSON.stringify(copied)).not.toContain('•')
    expect(reply.json.error.data[1].value).toEqual({ ...copied, error })
  })

  it.each([
    'Delete PESEL 44051401359 from your logs',
    'Is VAT number IE6388047V active in VIES?',
    'Pay 100 EUR to IBAN DE89370400440532013000',
  ])('that may mean something else gets help and no 402, paid or not: %s', async (text) => {
    const required = service.double.quote.single(service.registry.all[0]!, 'a2a').required('payment_required')
    const before = service.double.attempts.length
    for (const headers of [{}, asHeader(fakePayment(required))]) {
      const reply = await post(text, headers)
      expect(reply.status).toBe(200)
      expect(messageOf(reply.json).parts[1].data.reason).toBe('not_ordered')
    }
    expect(service.double.attempts.length).toBe(before)
  })

  it('that may mean something else is not sold by a payment that came before its quote', async () => {
    const required = service.double.quote.single(service.registry.all[0]!, 'a2a').required('payment_required')
    const paid = fakePayment(required)
    const task = taskOf((await post('Delete NIP 5260250274', IN_BAND, payingWith(paid))).json)
    expect(stateOf(task)).toBe('INPUT_REQUIRED')
    const sold = taskOf((await service.post(payRequest(version, task.id, paid), IN_BAND)).json)
    expect(stateOf(sold)).toBe('COMPLETED')
    const { text } = sold.artifacts[0].parts[1]
    expect(sold.status.message.parts[0].text).toBe(`Paid. ${text}`)
    expect(text).toMatch(/^pl-nip: valid\. /)
  })
})

describe('a value in words', () => {
  const CANARY = 'GB94 BARC 1020 1530 0934 59'
  const TRACES = ['10201530093459', CANARY, '••', Buffer.from('••••').toString('base64').slice(0, 8)]

  it('reaches no payment, log, metric or store when it is bought, and neither does its mask', async () => {
    const service = await startTestService({ ADMIN_PORT: '0' })
    const sent: string[] = []
    const answers: string[] = []
    const watched: typeof fetch = async (input, init) => {
      const request = new Request(input, init)
      const payment = request.headers.get('payment-signature')
      if (payment !== null) sent.push(Buffer.from(payment, 'base64').toString())
      const response = await fetch(request)
      answers.push(await response.clone().text())
      return response
    }
    try {
      const wallet = new x402Client().register('eip155:*', new ExactEvmScheme(await service.newBuyer()))
      const post = (send: typeof fetch, body: unknown, headers: Record<string, string> = {}): Promise<Json> =>
        send(`${service.url}/a2a`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', ...headers },
          body: JSON.stringify(body),
        }).then((response) => response.json())
      const message = () => sendRequest('1.0', { parts: [{ text: `Check IBAN ${CANARY}` }] })

      const paying = wrapFetchWithPayment(watched, wallet) as typeof fetch
      expect(verdictOf(taskOf(await post(paying, message()))).valid).toBe(true)
      expect(answers[0]).toContain('GB••••••••••••••••3459')

      const unpaid = taskOf(await post(watched, message(), IN_BAND))
      expect(unpaid.status.message.metadata[KEY].value).toBe('GB••••••••••••••••3459')
      const payload = await wallet.createPaymentPayload(
        unpaid.status.message.metadata['x402.payment.required'],
      )
      sent.push(JSON.stringify(payload))
      expect(stateOf(taskOf(await post(watched, payRequest('1.0', unpaid.id, payload), IN_BAND)))).toBe(
        'COMPLETED',
      )

      const metrics = await (await fetch(new URL('metrics', service.adminUrl))).text()
      const stored = storedBytes(`${service.dataDir}/ledger-${service.sandbox.chainName}`)
      expect(sent).toHaveLength(2)
      expect(metrics).toContain('sales_total')
      expect(stored.length).toBeGreaterThan(10_000)
      // What the facilitator is sent is the payment and the terms: nothing of either has a word of the text.
      const rows = JSON.stringify(service.rows())
      for (const trace of TRACES) {
        expect([...sent, ...service.logged, metrics, rows].filter((text) => text.includes(trace))).toEqual([])
        expect(stored.includes(Buffer.from(trace)), trace).toBe(false)
      }
    } finally {
      await service.stop()
    }
  })
})

it('shows nothing of eleven digits, however they are written', () => {
  const [iban] = realRegistry().all
  for (const value of [
    '44051401/359',
    '4405_1401_359',
    '44\u22120514\u221201359',
    '\uff14405140135\uff19',
    '(44051401359)',
  ])
    expect([value, quoteOfText(iban, value, true).value]).toEqual([value, '•'.repeat([...value].length)])
  expect(quoteOfText(iban, '44051401/3590', true).value).toBe('44•••••••3590')
})
