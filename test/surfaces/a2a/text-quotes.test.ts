/** What an order in words is answered with before anything is sold, and that nothing of it is kept or handed on. */
import { x402Client } from '@x402/core/client'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { afterAll, describe, expect, it } from 'vitest'
import { maskValue } from '../../../src/surfaces/a2a/reply/mask-value.ts'
import { realRegistry } from '../../support/registry.ts'
import { startTestService } from '../../support/sandbox-service.ts'
import { storedBytes } from '../../support/stored-bytes.ts'
import { vectors } from '../../support/vectors.ts'
import {
  IN_BAND,
  type Json,
  order,
  payRequest,
  sendRequest,
  stateOf,
  taskOf,
  taskRequest,
  VERSIONS,
  verdictOf,
} from './a2a-client.ts'
import { startA2aService } from './a2a-service.ts'

const KEY = 'format-checker/quote'

describe.each(VERSIONS)('an order in words over %s', async (version) => {
  const service = await startA2aService()
  afterAll(() => service.close())

  const post = (text: string, headers: Record<string, string> = {}, metadata?: object) =>
    service.post(sendRequest(version, { parts: [{ text }], ...(metadata && { metadata }) }), headers)
  const quoteInBand = async (text: string): Promise<Json> =>
    taskOf((await post(text, IN_BAND)).json).status.message

  it.each([
    ['Check IBAN DE89 3704 0044 0532 0130 00', 'iban', 'DE••••••••••••••••••00'],
    ['Check IBAN DE89 3704 0044 0532 0130 01', 'iban', 'DE••••••••••••••••••01'],
    ['check vat DE136695976', 'eu-vat', 'DE•••••••76'],
    ['NIP 526-025-02-74', 'pl-nip', '52••••••74'],
    ['verify regon 123456785', 'pl-regon', '12•••••85'],
    ['PESEL: 44051401359', 'pl-pesel', '•••••••••••'],
    ['PESEL: 44051401358', 'pl-pesel', '•••••••••••'],
    ['nip 12345', 'pl-nip', '•••••'],
    ['check NIP 44051401359', 'pl-nip', '•••••••••••'],
    ['check PESEL 4405140135', 'pl-pesel', '••••••••••'],
    ['check PESEL 440514013591', 'pl-pesel', '••••••••••••'],
    ['check email anna.nowak@example.com', 'email', '•••@example.com'],
  ])('is quoted in band, in words and data: %s', async (text, skill, value) => {
    const { metadata, parts } = await quoteInBand(text)
    expect(metadata[KEY]).toEqual({ skill, value, priceUsd: '0.001' })
    expect(parts[0].text).toContain(`Check ${skill} ${value} for USD 0.001?`)
    expect(JSON.stringify(metadata['x402.payment.required'])).not.toContain('•')
  })

  it.each([
    ['nip 5260250274\nnip 526', 'pl-nip', '0.002', 2],
    ['nip 5260250274\nregon: 123456785\niban DE89', 'mixed', '0.003', 3],
  ])('of several lines is quoted as a list: %j', async (text, skill, priceUsd, values) => {
    const { metadata, parts } = await quoteInBand(text)
    expect(metadata[KEY]).toEqual({ skill, values, priceUsd })
    expect(parts[0].text).toContain(`Check ${values} values (${skill}) for USD ${priceUsd}?`)
    const reply = await post(text)
    expect(reply.status).toBe(402)
    expect(reply.json.error.data[0].metadata).toMatchObject({ skill, priceUsd, values: String(values) })
  })

  it('in a data part needs no quote', async () => {
    const reply = await service.post(sendRequest(version, { parts: [order('iban', 'x')] }), IN_BAND)
    expect(reply.text).not.toContain(KEY)
  })

  it('is shown its quote once: the stored task has nothing of it', async () => {
    const { id } = taskOf((await post('check nip 5260250274', IN_BAND)).json)
    const shown = await service.post(taskRequest(version, 'get', id))
    expect(shown.text).not.toContain('52••••••74')
    expect(service.double.kept()).not.toContain('52••••••74')
  })

  it('gets a 402 whose error asks the question', async () => {
    const reply = await post('check nip 5260250274')
    expect(reply.status).toBe(402)
    const question = 'Check pl-nip 52••••••74 for USD 0.001?'
    expect(reply.json.error.message.startsWith(question)).toBe(true)
    expect(reply.json.error.data[0].metadata).toMatchObject({
      skill: 'pl-nip',
      value: '52••••••74',
    })
    const { error, ...copied } = decodePaymentRequiredHeader(reply.headers.get('payment-required') ?? '')
    expect(error).toBe(question)
    expect(JSON.stringify(copied)).not.toContain('•')
    expect(reply.json.error.data[1].value).toEqual({ ...copied, error })
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
      expect(answers[0]).toContain('GB••••••••••••••••••59')

      const unpaid = taskOf(await post(watched, message(), IN_BAND))
      expect(unpaid.status.message.metadata[KEY].value).toBe('GB••••••••••••••••••59')
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

it('shows no more of the end of an IBAN than its result, with and without its country', () => {
  const [iban] = realRegistry().all
  const valid = [...vectors('iban'), ...vectors('iban-published')].filter((each) => each.valid)
  expect(valid.length).toBeGreaterThan(60)
  const shownBy = (mask: string) => /[^•]*$/.exec(mask)?.[0] ?? ''
  for (const { value } of valid) {
    const { normalized } = iban.check(value)
    for (const written of [value, value.slice(2), value.slice(4), value.toLowerCase()])
      expect(shownBy(normalized ?? '').toLowerCase()).toContain(
        shownBy(maskValue(iban, written)).toLowerCase(),
      )
  }
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
    expect([value, maskValue(iban, value)]).toEqual([value, '•'.repeat([...value].length)])
  expect(maskValue(iban, '44051401/3590')).toBe('44•••••••••90')
})
