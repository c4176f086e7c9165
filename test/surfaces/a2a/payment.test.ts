import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fakePayment, quoteFor } from '../../support/a2a-double.ts'
import {
  asHeader,
  IN_BAND,
  order,
  paying,
  paymentOf,
  sendRequest,
  stateOf,
  taskOf,
  taskRequest,
  VERSIONS,
  verdictOf,
} from './a2a-client.ts'
import { type A2aService, startA2aService } from './a2a-service.ts'

const IBAN = 'DE89370400440532013000'

describe.each(VERSIONS)('paying over A2A %s', (version) => {
  let service: A2aService
  beforeAll(async () => {
    service = await startA2aService()
  })
  afterAll(() => service.close())

  const required = () => quoteFor(service.registry.all[0]!).required('payment_required')

  it('asks for payment in a task and completes it when it is paid, without the value being sent again', async () => {
    const asked = await service.post(sendRequest(version, { parts: [order('iban', IBAN)] }), IN_BAND)
    const unpaid = taskOf(asked.json)
    expect(stateOf(unpaid)).toBe('INPUT_REQUIRED')
    expect(paymentOf(unpaid)['x402.payment.status']).toBe('payment-required')
    const paid = await service.post(
      sendRequest(version, {
        taskId: unpaid.id,
        metadata: paying(paymentOf(unpaid)['x402.payment.required']),
        parts: [{ text: 'send_signed_payment_payload' }],
      }),
      IN_BAND,
    )
    const completed = taskOf(paid.json)
    expect(stateOf(completed)).toBe('COMPLETED')
    expect(completed.id).toBe(unpaid.id)
    expect(completed.contextId).toBe(unpaid.contextId)
    expect(paymentOf(completed)['x402.payment.status']).toBe('payment-completed')
    expect(paymentOf(completed)['x402.payment.receipts']).toHaveLength(1)
    expect(verdictOf(completed)).toEqual(service.registry.get('iban')?.check(IBAN))
    const shown = await service.post(taskRequest(version, 'get', unpaid.id))
    expect(taskOf({ result: shown.json.result })).toEqual(completed)
  })

  it('completes in one round trip when the first message pays', async () => {
    const reply = await service.post(
      sendRequest(version, { parts: [order('iban', IBAN)], metadata: paying(required()) }),
    )
    expect(stateOf(taskOf(reply.json))).toBe('COMPLETED')
  })

  it('takes a payment header as REST does', async () => {
    const reply = await service.post(
      sendRequest(version, { parts: [order('iban', IBAN)] }),
      asHeader(fakePayment(required())),
    )
    expect(reply.status).toBe(200)
    expect(reply.headers.get('payment-response')).not.toBeNull()
    expect(stateOf(taskOf(reply.json))).toBe('COMPLETED')
  })

  it('answers 402 with terms to a client that shows no way of paying', async () => {
    const reply = await service.post(sendRequest(version, { parts: [order('iban', IBAN)] }))
    expect(reply.status).toBe(402)
    expect(reply.headers.get('payment-required')).not.toBeNull()
    expect(reply.json).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code: 402 } })
  })
})
