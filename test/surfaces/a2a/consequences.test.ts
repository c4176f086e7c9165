/** Every error says whether anything was charged and what to do next, and an unpaid one starts with the price. */
import { afterAll, describe, expect, it } from 'vitest'
import { ERRORS, type ErrorCode, type ErrorEntry } from '../../../src/errors.ts'
import { fakePayment, type Script } from '../../support/a2a-double.ts'
import {
  asHeader,
  IN_BAND,
  order,
  payingWith,
  paymentOf,
  sendRequest,
  taskOf,
  taskRequest,
  VERSIONS,
} from './a2a-client.ts'
import { startA2aService } from './a2a-service.ts'

const ORDER = { parts: [order('iban', 'DE89370400440532013000')] }

const service = await startA2aService()
afterAll(() => service.close())

const payment = () =>
  fakePayment(service.double.quote.single(service.registry.all[0]!, 'a2a').required('payment_required'))

describe.each(VERSIONS)('an error over %s', (version) => {
  it.each([
    ['broken JSON', '{', 'false', 'fix'],
    ['no envelope', { jsonrpc: '1.0' }, 'false', 'fix'],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'nope' }, 'false', 'fix'],
    ['bad parameters', { ...sendRequest(version, ORDER), params: {} }, 'false', 'fix'],
    ['an unknown skill', sendRequest(version, { parts: [order('nope', '')] }), 'false', 'fix'],
    ['an unknown task', taskRequest(version, 'get', 'b9f5c1de-6a4f-4a3e-8f4e-111111111111'), 'false', 'fix'],
    ['an order without a payment', sendRequest(version, ORDER), 'false', 'new_payment'],
  ])('for %s carries charged and retry', async (_, body, charged, retry) => {
    const { json } = await service.post(body)
    expect(json.error.data[0].metadata).toMatchObject({ charged, retry })
  })

  it('for an unknown task says what to do with a payment that was signed for it', async () => {
    const taskId = 'b9f5c1de-6a4f-4a3e-8f4e-111111111111'
    const metadata = payingWith(payment())
    const { json } = await service.post(sendRequest(version, { taskId, parts: [], metadata }))
    expect(json.error).toMatchObject({ code: -32001, message: expect.stringContaining('with that payment') })
  })

  it.each([
    'payment_in_doubt',
    'facilitator_unavailable',
    'payment_refused',
    'payment_already_used',
  ] as const)('%s carries those of the catalogue, by header and in band', async (code: Script &
    ErrorCode) => {
    const { charged, retry } = ERRORS[code]
    service.double.script.push(code)
    const byHeader = await service.post(sendRequest(version, ORDER), asHeader(payment()))
    expect(byHeader.json.error.data[0].metadata).toMatchObject({ code, charged: String(charged), retry })

    const { id } = taskOf((await service.post(sendRequest(version, ORDER), IN_BAND)).json)
    service.double.script.push(code)
    const inBand = await service.post(
      sendRequest(version, { taskId: id, parts: [], metadata: payingWith(payment()) }),
    )
    expect(paymentOf(taskOf(inBand.json))['format-checker/error']).toEqual({ code, charged, retry })
  })

  it('of an ended task are those that the task says, to a message and to a cancel', async () => {
    const order = async () => taskOf((await service.post(sendRequest(version, ORDER), IN_BAND)).json).id
    const charges = async (taskId: string) => {
      const asked = [
        sendRequest(version, { taskId, parts: [{ text: 'x' }] }),
        taskRequest(version, 'cancel', taskId),
      ]
      const replies = await Promise.all(asked.map((request) => service.post(request)))
      return replies.map(({ json }) => json.error.data[0].metadata.charged)
    }
    const [failed, doubted, sold, canceled] = await Promise.all([order(), order(), order(), order()])
    for (const [taskId, code] of [
      [failed, 'payment_invalid_signature'],
      [doubted, 'payment_refused'],
    ] as const) {
      service.double.script.push(code)
      await service.post(sendRequest(version, { taskId, parts: [], metadata: payingWith(payment()) }))
    }
    await service.post(sendRequest(version, { taskId: sold, parts: [], metadata: payingWith(payment()) }))
    await service.post(taskRequest(version, 'cancel', canceled))
    expect(await charges(failed)).toEqual(['false', 'false'])
    expect(await charges(doubted)).toEqual(['unknown', 'unknown'])
    expect(await charges(sold)).toEqual(['true', 'true'])
    expect(await charges(canceled)).toEqual(['false', 'false'])
  })

  it('for an unpaid order starts with a sentence for a model without a wallet', async () => {
    const { json } = await service.post(sendRequest(version, ORDER))
    expect(json.error.message).toMatch(
      /^This check costs USD 0\.001, paid in USDC on Base with x402; without a wallet, tell the user the price\. /,
    )
    const task = taskOf((await service.post(sendRequest(version, ORDER), IN_BAND)).json)
    expect(task.status.message.parts[0].text).toMatch(
      /^The iban result is ready and costs USD 0\.001, .*nothing was charged\. Without a wallet, tell the user the price\. /,
    )
  })

  it('names no means of another transport', async () => {
    for (const code of Object.keys(ERRORS) as ErrorCode[]) {
      const { on }: ErrorEntry = ERRORS[code]
      expect(JSON.stringify(on?.a2a ?? '')).not.toMatch(/_meta|arguments|tool/)
    }
  })
})
