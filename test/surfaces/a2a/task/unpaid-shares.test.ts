/** No address can fill the place for unpaid tasks: the oldest task of the one with the most goes first. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unpaidShares } from '../../../../src/surfaces/a2a/task/unpaid-shares.ts'
import { fakePayment } from '../../../support/a2a-double.ts'
import {
  asHeader,
  IN_BAND,
  type Json,
  order,
  paymentOf,
  payRequest,
  sendRequest,
  stateOf,
  taskOf,
  taskRequest,
} from '../a2a-client.ts'
import { type A2aService, startA2aService } from '../a2a-service.ts'

const VALUE = 'DE89370400440532013000'

describe('a full store', () => {
  let service: A2aService
  beforeEach(async () => {
    service = await startA2aService({ capacity: 6, trustedProxies: 1 })
  })
  afterEach(() => service.close())

  const ask = async (address: string): Promise<Json> =>
    taskOf(
      (
        await service.post(sendRequest('1.0', { parts: [order('iban', VALUE)] }), {
          ...IN_BAND,
          'X-Forwarded-For': address,
        })
      ).json,
    )
  const state = async ({ id }: Json) =>
    stateOf((await service.post(taskRequest('1.0', 'get', id))).json.result)

  it('still takes the order of an address that has none, and of the greediest', async () => {
    const greedy: Json[] = []
    for (let n = 0; n < 5; n++) greedy.push(await ask('192.0.2.1'))
    const modest = await ask('192.0.2.2')
    const newcomer = await ask('192.0.2.3')
    expect(await state(newcomer)).toBe('INPUT_REQUIRED')
    expect(await state(modest)).toBe('INPUT_REQUIRED')
    expect(await Promise.all(greedy.map(state))).toEqual([
      'CANCELED',
      ...Array.from({ length: 4 }, () => 'INPUT_REQUIRED'),
    ])
    const more = await ask('192.0.2.1')
    expect(await state(more)).toBe('INPUT_REQUIRED')
    expect(await state(greedy[1])).toBe('CANCELED')
    expect(await state(modest)).toBe('INPUT_REQUIRED')
  })
})

describe('the share of an address', () => {
  let service: A2aService
  beforeEach(async () => {
    service = await startA2aService()
  })
  afterEach(() => service.close())

  const ask = async (values: readonly string[]): Promise<Json> => {
    const parts = [{ data: { skill: 'iban', input: { values } } }]
    return taskOf((await service.post(sendRequest('1.0', { parts }), IN_BAND)).json)
  }

  it.each([
    [
      'paid by header',
      'COMPLETED',
      (id: string, payload: object) =>
        service.post(sendRequest('1.0', { taskId: id, parts: [{ text: 'paid' }] }), asHeader(payload)),
    ],
    [
      'failed',
      'FAILED',
      (id: string, payload: object) => {
        service.double.script.push('payment_refused')
        return service.post(payRequest('1.0', id, payload))
      },
    ],
  ])('no longer counts a task that is %s', async (_, state, pay) => {
    const waiting = await ask([VALUE])
    for (let n = 0; n < 10; n++) {
      const task = await ask(Array<string>(100).fill(VALUE))
      const required = paymentOf(task)['x402.payment.required']
      expect(stateOf(taskOf((await pay(task.id, fakePayment(required))).json))).toBe(state)
    }
    const { result } = (await service.post(taskRequest('1.0', 'get', waiting.id))).json
    expect(stateOf(result)).toBe('INPUT_REQUIRED')
  })
})

describe('the shares', () => {
  it('end the oldest task of an address that is over its share', () => {
    const shares = unpaidShares({ perAddress: 2, most: 9, lifeMs: 1_000, now: () => 0 })
    expect([
      shares.add('a', '1', 1),
      shares.add('a', '2', 1),
      shares.add('b', '3', 1),
      shares.add('a', '4', 1),
    ]).toEqual([[], [], [], ['1']])
  })

  it('count the values of a list, of one address and of all', () => {
    const shares = unpaidShares({ perAddress: 100, most: 150, lifeMs: 1_000, now: () => 0 })
    expect([shares.add('a', '1', 60), shares.add('a', '2', 60), shares.add('b', '3', 80)]).toEqual([
      [],
      ['1'],
      [],
    ])
    expect(shares.add('c', '4', 20)).toEqual(['3'])
    shares.remove('2')
    expect(shares.add('c', '5', 80)).toEqual([])
  })

  it('forget tasks that were paid for, ended or have expired', () => {
    let time = 0
    const shares = unpaidShares({ perAddress: 9, most: 9, lifeMs: 1_000, now: () => time })
    for (const id of ['1', '2', '3']) shares.add('a', id, 1)
    shares.remove('1')
    expect(shares.evict()).toBe('2')
    time = 1_000
    expect(shares.evict()).toBeUndefined()
  })
})
