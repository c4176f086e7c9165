/** Ways of paying, and what each outcome of a sale looks like on the wire. */

import { request } from 'node:http'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import type { PaymentRequired } from '@x402/core/types'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ERRORS, type ErrorCode, type UnpaidCode } from '../../../src/errors.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'
import { a2aDouble, fakePayment, quoteFor } from '../../support/a2a-double.ts'
import { eventually } from '../../support/eventually.ts'
import {
  asHeader,
  IN_BAND,
  type Json,
  order,
  paying,
  payingWith,
  paymentOf,
  type SimpleMessage,
  sendRequest,
  stateOf,
  taskOf,
  taskRequest,
  VERSIONS,
  verdictOf,
} from './a2a-client.ts'
import { type A2aService, startA2aService } from './a2a-service.ts'

const IBAN = 'DE89370400440532013000'
const ORDER = { parts: [order('iban', IBAN)] }

const errorOf = (code: ErrorCode) => ({ code, charged: ERRORS[code].charged, retry: ERRORS[code].retry })

describe.each(VERSIONS)('paying over A2A %s', (version) => {
  let service: A2aService
  beforeEach(async () => {
    service = await startA2aService()
  })
  afterEach(() => service.close())

  const required = (): PaymentRequired =>
    service.double.quote.single(service.registry.all[0]!, 'a2a').required('payment_required')
  const send = (message: SimpleMessage, headers: Record<string, string> = {}) =>
    service.post(sendRequest(version, message), headers)
  const ask = async (): Promise<Json> => taskOf((await send(ORDER, IN_BAND)).json)
  const pay = (task: Json, payload: object | string = fakePayment(required())) =>
    send({
      taskId: task.id,
      metadata: payingWith(payload),
      parts: [{ text: 'send_signed_payment_payload' }],
    })
  const show = async (taskId: string): Promise<Json> =>
    (await service.post(taskRequest(version, 'get', taskId))).json.result
  const verdict = () => service.registry.get('iban')?.check(IBAN)

  describe('in band', () => {
    it('takes two messages, of which the second needs no value', async () => {
      const unpaid = await ask()
      expect(stateOf(unpaid)).toBe('INPUT_REQUIRED')
      expect(paymentOf(unpaid)).toEqual({
        'x402.payment.status': 'payment-required',
        'x402.payment.required': required(),
      })
      const completed = taskOf((await pay(unpaid)).json)
      expect(stateOf(completed)).toBe('COMPLETED')
      expect([completed.id, completed.contextId]).toEqual([unpaid.id, unpaid.contextId])
      expect(paymentOf(completed)).toEqual({
        'x402.payment.status': 'payment-completed',
        'x402.payment.receipts': [expect.objectContaining({ success: true, network: 'eip155:8453' })],
      })
      expect(JSON.stringify(verdictOf(completed))).toBe(JSON.stringify(verdict()))
      expect(unpaid.id).toMatch(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/)
      expect(await show(unpaid.id)).toEqual(completed)
      expect(service.double.settlements).toBe(1)
    })

    it('has a sentence beside the data in its one artifact', async () => {
      const { artifacts } = taskOf((await pay(await ask())).json)
      expect(artifacts).toHaveLength(1)
      expect(artifacts[0].parts).toHaveLength(2)
      expect(artifacts[0].parts[1].text).toContain('iban: valid.')
    })

    it('sells an invalid identifier as a result', async () => {
      const task = taskOf((await send({ parts: [order('iban', 'nonsense')] }, IN_BAND)).json)
      const completed = taskOf((await pay(task)).json)
      expect(stateOf(completed)).toBe('COMPLETED')
      expect(verdictOf(completed)).toMatchObject({ type: 'iban', valid: false, normalized: null })
    })

    it('takes one message with value and payment', async () => {
      const reply = await send({ ...ORDER, contextId: 'ctx', metadata: paying(required()) })
      const task = taskOf(reply.json)
      expect(stateOf(task)).toBe('COMPLETED')
      expect(verdictOf(task)).toEqual(verdict())
      expect(await show(task.id)).toEqual(task)
    })

    it('reads the payload also as base64, and whatever status it comes with', async () => {
      const text = Buffer.from(JSON.stringify(fakePayment(required()))).toString('base64')
      expect(stateOf(taskOf((await pay(await ask(), text)).json))).toBe('COMPLETED')
      const reply = await send({ ...ORDER, metadata: { 'x402.payment.payload': fakePayment(required()) } })
      expect(stateOf(taskOf(reply.json))).toBe('COMPLETED')
    })

    it('needs no parts in the paying message, and parses none', async () => {
      for (const parts of [[], [{ text: `iban ${IBAN}` }], [order('email', 'other@example.com')]]) {
        const task = await ask()
        const reply = await send({ taskId: task.id, metadata: paying(required()), parts })
        expect(verdictOf(taskOf(reply.json))).toEqual(verdict())
      }
    })

    it('repeated, is answered by the same task, marked, and not settled again', async () => {
      const task = await ask()
      const payload = fakePayment(required())
      const first = taskOf((await pay(task, payload)).json)
      const again = taskOf((await pay(task, payload)).json)
      expect(paymentOf(again)['x402.payment.replayed']).toBe(true)
      delete paymentOf(again)['x402.payment.replayed']
      expect(again).toEqual(first)
      expect(service.double.settlements).toBe(1)
    })

    it('repeated in one message, is answered by the task of the first, in its context', async () => {
      const metadata = paying(required())
      const first = taskOf((await send({ ...ORDER, metadata })).json)
      const again = taskOf((await send({ ...ORDER, metadata })).json)
      expect([again.id, again.contextId]).toEqual([first.id, first.contextId])
      expect(service.double.settlements).toBe(1)
    })

    it('twice at once for one task, settles once and answers both', async () => {
      const task = await ask()
      const replies = await Promise.all([pay(task), pay(task)])
      expect(replies.map(({ json }) => stateOf(taskOf(json)))).toEqual(['COMPLETED', 'COMPLETED'])
      expect(service.double.settlements).toBe(1)
    })

    it('is refused with another authorization once the task is paid, showing the task as it stands', async () => {
      const task = await ask()
      const paid = taskOf((await pay(task)).json)
      expect(taskOf((await pay(task)).json)).toEqual(paid)
      expect(service.double.settlements).toBe(1)
    })

    it.each<[UnpaidCode, string]>([
      ['payment_expired', 'EXPIRED_PAYMENT'],
      ['payment_not_yet_valid', 'EXPIRED_PAYMENT'],
      ['payment_valid_too_long', 'EXPIRED_PAYMENT'],
      ['payment_invalid_signature', 'INVALID_SIGNATURE'],
      ['payment_insufficient_funds', 'INSUFFICIENT_FUNDS'],
      ['payment_refused', 'SETTLEMENT_FAILED'],
    ])('fails the task on %s with %s', async (code, error) => {
      const task = await ask()
      service.double.script.push(code)
      const reply = await pay(task)
      const failed = taskOf(reply.json)
      expect(reply.status).toBe(200)
      expect(stateOf(failed)).toBe('FAILED')
      expect(paymentOf(failed)).toEqual({
        'x402.payment.status': 'payment-failed',
        'format-checker/error': errorOf(code),
        'x402.payment.error': error,
        'x402.payment.receipts': [
          { success: false, errorReason: code, transaction: '', network: 'eip155:8453' },
        ],
      })
      expect(failed.artifacts ?? []).toEqual([])
      expect(await show(task.id)).toEqual(failed)
      expect(failed.status.message.parts[0].text).toBe(
        `${ERRORS[code].detail} No new payment is taken for this task: send the order again without a task id.`,
      )
    })

    it('takes the order again as another task after one that failed, which no new payment revives', async () => {
      const task = await ask()
      service.double.script.push('payment_expired')
      const failed = taskOf((await pay(task)).json)
      const after = taskOf((await pay(task)).json)
      expect([after.id, stateOf(after)]).toEqual([failed.id, 'FAILED'])
      expect(after.status.message.parts[0].text).toMatch(
        /^This payment was not taken, and nothing was charged .* had failed before\. Send the order again without a task id/,
      )
      expect(paymentOf(after)).toMatchObject({
        'format-checker/error': errorOf('task_not_found'),
        'x402.payment.receipts': [{ success: false, errorReason: 'task_not_found' }],
      })
      expect(await show(task.id)).toEqual(failed)
      const again = taskOf((await send(ORDER, IN_BAND)).json)
      expect(again.id).not.toBe(task.id)
      expect(stateOf(taskOf((await pay(again)).json))).toBe('COMPLETED')
    })

    it.each([
      ['another network', { network: 'eip155:1' }, 'NETWORK_MISMATCH'],
      ['another amount', { amount: '1' }, 'INVALID_AMOUNT'],
      ['another payee', { payTo: `0x${'99'.repeat(20)}` }, 'INVALID_AMOUNT'],
    ])('fails the task on a payload for %s', async (_, change, error) => {
      const accepted = { ...required().accepts[0], ...change } as object
      const failed = taskOf((await pay(await ask(), fakePayment(required(), { accepted }))).json)
      expect(paymentOf(failed)['x402.payment.error']).toBe(error)
    })

    it.each([
      [{}],
      ['not base64 JSON'],
      [{ x402Version: 1, scheme: 'exact', network: 'base', payload: {} }],
    ])('fails the task on %j', async (payload) => {
      const failed = taskOf((await pay(await ask(), payload)).json)
      expect(stateOf(failed)).toBe('FAILED')
      expect(paymentOf(failed)['x402.payment.status']).toBe('payment-failed')
    })

    it('fails on a payment that was used for another call', async () => {
      const payload = fakePayment(required())
      await pay(await ask(), payload)
      const other = taskOf((await send({ parts: [order('iban', 'other')] }, IN_BAND)).json)
      const failed = taskOf((await pay(other, payload)).json)
      expect(paymentOf(failed)['x402.payment.error']).toBe('DUPLICATE_NONCE')
      expect(service.double.settlements).toBe(1)
    })

    it('fails in one message without keeping a task', async () => {
      service.double.script.push('payment_insufficient_funds')
      const failed = taskOf((await send({ ...ORDER, metadata: paying(required()) })).json)
      expect(stateOf(failed)).toBe('FAILED')
      expect(failed.id).toMatch(/^[0-9a-f-]{36}$/)
      expect(service.double.kept()).toBe('[]')
    })

    it('in doubt, leaves the task working, never failed, and it resolves by itself', async () => {
      const task = await ask()
      service.double.script.push('payment_in_doubt')
      const reply = await pay(task)
      const working = taskOf(reply.json)
      expect(stateOf(working)).toBe('WORKING')
      expect(paymentOf(working)).toEqual({
        'x402.payment.status': 'payment-verified',
        'format-checker/error': errorOf('payment_in_doubt'),
      })
      expect(reply.headers.get('retry-after')).toBe('5')
      expect(await show(task.id)).toEqual(working)
      expect((await service.post(taskRequest(version, 'cancel', task.id))).json.error.code).toBe(-32002)
      service.double.resolve()
      expect(stateOf(await show(task.id))).toBe('COMPLETED')
      expect(verdictOf(await show(task.id))).toEqual(verdict())
    })

    it('in doubt in one message, can be followed by the task', async () => {
      service.double.script.push('payment_in_doubt')
      const working = taskOf((await send({ ...ORDER, metadata: paying(required()) })).json)
      expect(stateOf(working)).toBe('WORKING')
      expect(await show(working.id)).toEqual(working)
      service.double.resolve()
      expect(stateOf(await show(working.id))).toBe('COMPLETED')
    })

    it.each([
      'facilitator_unavailable',
      'chain_unavailable',
      'store_unavailable',
      'shutting_down',
    ] as const)('asks again when %s, says that nothing was charged, and takes the same payment later', async (code) => {
      const task = await ask()
      const payload = fakePayment(required())
      service.double.script.push(code)
      const reply = await pay(task, payload)
      const again = taskOf(reply.json)
      expect(stateOf(again)).toBe('INPUT_REQUIRED')
      expect(paymentOf(again)).toEqual({ ...paymentOf(task), 'format-checker/error': errorOf(code) })
      expect(again.status.message.parts[0].text).toMatch(
        /Nothing was charged; repeat the paying message unchanged/,
      )
      expect(reply.headers.get('retry-after')).not.toBeNull()
      expect(stateOf(taskOf((await pay(task, payload)).json))).toBe('COMPLETED')
    })

    it.each([
      'facilitator_unavailable',
      'chain_unavailable',
      'store_unavailable',
      'shutting_down',
    ] as const)('in one message answers %s by HTTP', async (code) => {
      service.double.script.push(code)
      const reply = await send({ ...ORDER, metadata: paying(required()) })
      expect(reply.status).toBe(503)
      expect(reply.json.error).toMatchObject({
        code: 503,
        message: expect.stringContaining('Nothing was charged'),
      })
    })

    it('answers a payer who is held back by 429, and leaves the task as it is', async () => {
      const task = await ask()
      service.double.script.push('too_many_requests')
      const reply = await pay(task)
      expect(reply.status).toBe(429)
      expect(reply.headers.get('retry-after')).toBe('60')
      expect(reply.json.error.code).toBe(429)
      expect(await show(task.id)).toEqual(task)
    })

    it('answers a defect with a fixed text, and logs neither message nor value', async () => {
      const console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => {})
      service.double.script.push('defect')
      const reply = await pay(await ask())
      expect(reply.status).toBe(500)
      expect(reply.json.error.code).toBe(-32603)
      expect(reply.text + JSON.stringify(service.logged)).not.toContain(IBAN)
      expect(JSON.stringify(service.logged)).toContain('defect')
      expect(console).not.toHaveBeenCalled()
    })

    it('says that the delivered answer left', async () => {
      await pay(await ask())
      await eventually(() => service.double.delivered).toBe(1)
    })
  })

  describe('by header', () => {
    it('for a task that another payment paid or ended shows the task as it stands, like a payment in band', async () => {
      const header = (task: Json) =>
        service.post(
          sendRequest(version, { taskId: task.id, parts: [{ text: 'x' }] }),
          asHeader(fakePayment(required())),
        )
      const [sold, failed] = [await ask(), await ask()]
      await pay(sold)
      service.double.script.push('payment_expired')
      await pay(failed)
      const paid = await header(sold)
      expect([paid.status, taskOf(paid.json)]).toEqual([200, await show(sold.id)])
      const late = await header(failed)
      expect([late.status, stateOf(taskOf(late.json))]).toEqual([200, 'FAILED'])
      expect(taskOf(late.json).status.message.parts[0].text).toMatch(/^This payment was not taken/)
      expect(service.double.settlements).toBe(1)
    })

    it('is as on REST: 200, the receipt in a header, and a completed task', async () => {
      const payload = fakePayment(required())
      const reply = await send(ORDER, asHeader(payload))
      expect(reply.status).toBe(200)
      expect(stateOf(taskOf(reply.json))).toBe('COMPLETED')
      expect(verdictOf(taskOf(reply.json))).toEqual(verdict())
      expect(decodePaymentResponseHeader(reply.headers.get('payment-response') ?? '').success).toBe(true)
      expect(reply.headers.get('payment-replayed')).toBeNull()

      const again = await send(ORDER, asHeader(payload))
      expect(again.headers.get('payment-replayed')).toBe('true')
      expect(again.headers.get('payment-response')).toBe(reply.headers.get('payment-response'))
      expect(again.json.result).toEqual(reply.json.result)
      expect(service.double.settlements).toBe(1)
    })

    it('also pays for a task that waits', async () => {
      const task = await ask()
      const reply = await send(
        { taskId: task.id, parts: [{ text: 'paid' }] },
        asHeader(fakePayment(required())),
      )
      expect(stateOf(taskOf(reply.json))).toBe('COMPLETED')
      expect(reply.headers.get('payment-response')).not.toBeNull()
      expect(await show(task.id)).toEqual(taskOf(reply.json))
    })

    it('refused for a waiting task, leaves it waiting', async () => {
      const task = await ask()
      service.double.script.push('payment_expired')
      const reply = await send(
        { taskId: task.id, parts: [{ text: 'paid' }] },
        asHeader(fakePayment(required())),
      )
      expect(reply.status).toBe(402)
      expect(await show(task.id)).toEqual(task)
    })

    it.each([
      'payment_refused',
      'replay_window_over',
    ] as const)('refused for %s, names the settlement that was tried or made before', async (code) => {
      const settlement = {
        success: false,
        transaction: '0xab',
        network: 'eip155:8453',
        errorReason: 'x',
      } as const
      service.double.settlement = settlement
      service.double.script.push(code)
      const { headers } = await send(ORDER, asHeader(fakePayment(required())))
      expect(decodePaymentResponseHeader(headers.get('payment-response') ?? '')).toEqual(settlement)
    })

    it.each<UnpaidCode>([
      'payment_expired',
      'payment_insufficient_funds',
      'payment_refused',
    ])('refused for %s, is a 402 with the terms', async (code) => {
      service.double.script.push(code)
      const reply = await send(ORDER, asHeader(fakePayment(required())))
      expect(reply.status).toBe(402)
      expect(decodePaymentRequiredHeader(reply.headers.get('payment-required') ?? '').error).toContain(code)
      expect(reply.json.error).toMatchObject({
        code: 402,
        data: [{ reason: code.toUpperCase() }, { value: { x402Version: 2 } }],
      })
    })

    it.each([
      ['payment_already_used', 409],
      ['replay_window_over', 409],
      ['payment_identifier_conflict', 409],
      ['too_many_requests', 429],
      ['payment_in_doubt', 503],
      ['facilitator_unavailable', 503],
      ['chain_unavailable', 503],
      ['store_unavailable', 503],
      ['shutting_down', 503],
    ] as const)('declined for %s, is an HTTP %i without terms', async (code, status) => {
      service.double.script.push(code)
      const reply = await send(ORDER, asHeader(fakePayment(required())))
      expect(reply.status).toBe(status)
      expect(reply.json).toMatchObject({
        id: 1,
        error: { code: status, data: [{ reason: code.toUpperCase() }] },
      })
      expect(reply.headers.get('payment-required')).toBeNull()
      expect(reply.text).not.toContain('accepts')
      expect(reply.headers.get('retry-after') !== null).toBe(status !== 409)
    })

    it.each([
      ['PAYMENT-SIGNATURE', '!', 'PAYMENT_MALFORMED'],
      ['X-PAYMENT', 'e30=', 'PAYMENT_MALFORMED'],
    ])('unreadable in %s, is a 402 that says so', async (name, text, reason) => {
      const reply = await send(ORDER, { [name]: text })
      expect(reply.status).toBe(402)
      expect(reply.json.error.data[0].reason).toBe(reason)
    })

    it('given twice, is not chosen from', async () => {
      const text = asHeader(fakePayment(required()))['PAYMENT-SIGNATURE'] ?? ''
      const headers = { 'Content-Type': 'application/json', 'PAYMENT-SIGNATURE': [text, text] }
      const status = await new Promise((resolve) => {
        const req = request({ port: service.port, path: '/a2a', method: 'POST', headers }, (res) => {
          res.resume()
          resolve(res.statusCode)
        })
        req.end(JSON.stringify(sendRequest(version, ORDER)))
      })
      expect(status).toBe(402)
      expect(service.double.settlements).toBe(0)
    })

    it('comes before payment in the message', async () => {
      const reply = await send({ ...ORDER, metadata: paying(required()) }, asHeader(fakePayment(required())))
      expect(reply.headers.get('payment-response')).not.toBeNull()
      expect(service.double.attempts).toEqual([expect.objectContaining({ kind: 'text' })])
    })
  })

  describe('with neither', () => {
    it('is a 402 that a wallet and a reader both understand', async () => {
      const reply = await send(ORDER)
      expect(reply.status).toBe(402)
      expect(decodePaymentRequiredHeader(reply.headers.get('payment-required') ?? '')).toEqual(required())
      expect(reply.json.id).toBe(1)
      expect(reply.json.error.code).toBe(402)
      expect(reply.json.error.message).toContain('PAYMENT-SIGNATURE')
      expect(reply.json.error.data[1]).toEqual({
        '@type': 'type.googleapis.com/google.protobuf.Struct',
        value: required(),
      })
      expect(service.double.kept()).toBe('[]')
    })

    it('is in band once the message speaks of x402', async () => {
      const reply = await send({ ...ORDER, metadata: { 'x402.payment.status': 'payment-required' } })
      expect(stateOf(taskOf(reply.json))).toBe('INPUT_REQUIRED')
    })
  })
})

it('quotes an empty body by the terms of the hour, whose signed offers expire', async () => {
  const double = a2aDouble({ storeUnavailable: () => new StoreUnavailable('down') })
  let summary = 'of the start'
  const service = await startA2aService({
    sales: { ...double, quote: { ...double.quote, of: async () => quoteFor({ summary }) } },
  })
  summary = 'renewed'
  const reply = await service.post('')
  await service.close()
  const required = decodePaymentRequiredHeader(reply.headers.get('payment-required') ?? '')
  expect(required.resource?.description).toBe('renewed')
})
