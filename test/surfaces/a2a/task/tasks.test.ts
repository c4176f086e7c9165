/** Tasks as the protocol has them: shown, canceled, ended, and never listed. */
import { afterAll, describe, expect, it } from 'vitest'
import { fakePayment } from '../../../support/a2a-double.ts'
import {
  asHeader,
  IN_BAND,
  type Json,
  order,
  paying,
  paymentOf,
  payRequest,
  sendRequest,
  stateOf,
  taskOf,
  taskRequest,
  VERSIONS,
} from '../a2a-client.ts'
import { startA2aService } from '../a2a-service.ts'

const VALUE = 'DE89370400440532013000'

describe.each(VERSIONS)('tasks over %s', async (version) => {
  const service = await startA2aService()
  afterAll(() => service.close())

  const ask = async (change: object = {}): Promise<Json> =>
    taskOf(
      (await service.post(sendRequest(version, { parts: [order('iban', VALUE)], ...change }), IN_BAND)).json,
    )
  const pay = (task: Json, payload: object = fakePayment(paymentOf(task)['x402.payment.required'])) =>
    service.post(payRequest(version, task.id, payload))
  const run = async (operation: 'get' | 'cancel', taskId: string, historyLength?: number): Promise<Json> =>
    (await service.post(taskRequest(version, operation, taskId, historyLength))).json

  it.each([
    'get',
    'cancel',
  ] as const)('%s does not know foreign ids, and repeats none of them', async (operation) => {
    for (const id of [
      'nope',
      'b9f5c1de-6a4f-4a3e-8f4e-111111111111',
      '../../etc',
      'x'.repeat(500),
      'PL8567346215',
    ]) {
      const json = await run(operation, id)
      expect(json.error.code).toBe(-32001)
      expect(JSON.stringify(json)).not.toContain(id)
    }
  })

  it.each([undefined, null, '', 7, ['x']])('get refuses the id %j', async (id) => {
    const { json } = await service.post({ ...taskRequest(version, 'get', ''), params: { id } })
    expect(json.error.code).toBe(-32602)
  })

  it('cancels an unpaid task, after which it cannot be paid or canceled again', async () => {
    const task = await ask()
    const canceled = (await run('cancel', task.id)).result
    expect(stateOf(canceled)).toBe('CANCELED')
    expect((await run('get', task.id)).result).toEqual(canceled)
    expect((await run('cancel', task.id)).error.code).toBe(-32002)
    expect((await pay(task)).json.error.code).toBe(-32004)
    expect(service.double.settlements).toBe(0)
  })

  it('cancels when the client says it will not pay', async () => {
    const task = await ask()
    const reply = await service.post(
      sendRequest(version, {
        taskId: task.id,
        metadata: { 'x402.payment.status': 'payment-rejected' },
        parts: [{ text: 'no' }],
      }),
    )
    expect(stateOf(taskOf(reply.json))).toBe('CANCELED')
    expect(paymentOf(taskOf(reply.json))['x402.payment.status']).toBe('payment-rejected')
  })

  it('does not cancel a task that is paid for', async () => {
    const task = await ask()
    await pay(task)
    expect((await run('cancel', task.id)).error.code).toBe(-32002)
    expect(stateOf((await run('get', task.id)).result)).toBe('COMPLETED')
  })

  it('refuses any message but the payment to a task that has ended', async () => {
    const task = await ask()
    await pay(task)
    const reply = await service.post(
      sendRequest(version, { taskId: task.id, parts: [order('iban', VALUE)] }),
      IN_BAND,
    )
    expect(reply.json.error.code).toBe(-32004)
  })

  it('answers a message without payment to an unpaid task with the task, reading no value in it', async () => {
    const task = await ask()
    const reply = await service.post(
      sendRequest(version, { taskId: task.id, parts: [{ text: 'nip 1234563218' }] }),
    )
    expect(taskOf(reply.json)).toEqual(task)
    expect(task.status.message.parts[0].text).toContain('to check another value, send it without a task id')
  })

  it('keeps a context id it was given, makes one where there is none, and never changes it', async () => {
    const task = await ask({ contextId: 'agent:42/x'.replace('/', '.') })
    expect(task.contextId).toBe('agent:42.x')
    const [one, other] = [await ask(), await ask()]
    expect(one.contextId).toMatch(/^[0-9a-f-]{36}$/)
    expect(one.contextId).not.toBe(other.contextId)
    expect(taskOf((await pay(one)).json).contextId).toBe(one.contextId)
  })

  it('refuses a context id that is not the one of the task', async () => {
    const task = await ask({ contextId: 'ctx-1' })
    const reply = await service.post(
      sendRequest(version, {
        taskId: task.id,
        contextId: 'ctx-2',
        metadata: paying(paymentOf(task)['x402.payment.required']),
        parts: [{ text: 'x' }],
      }),
    )
    expect(reply.json.error.code).toBe(-32602)
    expect(reply.text).not.toContain('ctx-')
    expect(stateOf((await run('get', task.id)).result)).toBe('INPUT_REQUIRED')
  })

  it('keeps one neutral entry of history, trimmed by historyLength when it is sent and when it is shown', async () => {
    const task = await ask()
    expect(task.history).toHaveLength(1)
    expect(task.history[0].parts[0].text).toBe('iban check, input withheld')
    expect((await ask({ historyLength: 0 })).history ?? []).toHaveLength(0)
    expect((await run('get', task.id, 0)).result.history ?? []).toHaveLength(0)
    expect((await run('get', task.id, 1)).result.history).toHaveLength(1)
    expect((await run('get', task.id, 9999)).result.history).toHaveLength(1)
    expect((await run('get', task.id, 0)).result).toEqual({ ...task, history: undefined })
  })

  it('refuses a payment for a verdict whose life is over before it is settled', async () => {
    const task = await ask()
    service.double.expire()
    const before = service.double.attempts.length
    expect((await pay(task)).json.error.code).toBe(-32001)
    expect(service.double.attempts.length).toBe(before)
    expect((await run('get', task.id)).error.code).toBe(-32001)
  })

  it('says that the store is unavailable and nothing was charged', async () => {
    const task = await ask()
    service.double.down.store = true
    const replies = [await pay(task), await service.post(taskRequest(version, 'get', task.id))]
    service.double.down.store = false
    for (const reply of replies) {
      expect(reply.status).toBe(503)
      expect(reply.headers.get('retry-after')).toBe('5')
      expect(reply.json.error).toMatchObject({ code: 503, data: [{ reason: 'STORE_UNAVAILABLE' }] })
    }
    expect(stateOf(taskOf((await pay(task)).json))).toBe('COMPLETED')
  })

  it('a task bought with a header can be asked for as well', async () => {
    const required = service.double.quote.single(service.registry.all[0]!, 'a2a').required('payment_required')
    const reply = await service.post(
      sendRequest(version, { parts: [order('iban', VALUE)] }),
      asHeader(fakePayment(required)),
    )
    const task = taskOf(reply.json)
    expect((await run('get', task.id)).result).toEqual(task)
  })
})

describe('ListTasks', () => {
  it('is an empty page for every client', async () => {
    const service = await startA2aService()
    await service.post(sendRequest('1.0', { parts: [order('iban', VALUE)], contextId: 'ctx' }), IN_BAND)
    const list = async (params?: object) =>
      (await service.post({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params }, { 'A2A-Version': '1.0' }))
        .json
    const empty = { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 }
    expect((await list({})).result).toEqual(empty)
    expect((await list()).result).toEqual(empty)
    expect((await list({ contextId: 'ctx', includeArtifacts: true })).result).toEqual(empty)
    expect((await list({ page_size: 2 })).result).toEqual({ ...empty, pageSize: 2 })
    expect((await list({ pageSize: '2' })).result).toEqual({ ...empty, pageSize: 2 })
    for (const pageSize of [0, 101, -1, 1.5, 'x']) expect((await list({ pageSize })).error.code).toBe(-32602)
    expect((await list({ pageToken: 'x' })).error.code).toBe(-32602)
    const wrong = {
      status: 'TASK_STATE_BOGUS',
      statusTimestampAfter: 'yesterday',
      contextId: 5,
      includeArtifacts: 'maybe',
    }
    for (const [name, value] of Object.entries(wrong)) {
      const { error } = await list({ [name]: value })
      expect([error.code, JSON.stringify(error).includes(name)]).toEqual([-32602, true])
      expect(JSON.stringify(error)).not.toContain('BOGUS')
    }
    await service.close()
  })
})
