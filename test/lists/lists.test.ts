/** What holds for a list holds at every door: REST, MCP, and A2A with the payment in a header or in the message. */
import type { PaymentPayload } from '@x402/core/types'
import { CHECKS } from 'format-checker-checks/internal/checks'
import type { CheckType } from 'format-checker-checks/verdict'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../src/errors.ts'
import { leaks } from '../support/echo.ts'
import { eventually } from '../support/eventually.ts'
import type { SettleAct } from '../support/scripted-facilitator.ts'
import type { Answer, Door, Item, Order } from './doors.ts'
import { DOORS, doorOf, type ListService, startListService } from './list-service.ts'

const ITEMS: readonly { readonly type: CheckType; readonly value: string }[] = [
  // None of the published examples, which errors may hold as a part to copy.
  { type: 'iban', value: 'FR14 2004 1010 0505 0001 3M02 606' },
  { type: 'email', value: 'someone.particular@example.com' },
  { type: 'pl-nip', value: '5260250274' },
  { type: 'iban', value: 'no IBAN, "quoted" \\ and ünïcode' },
]
const LIST: Order = { list: ITEMS }
const SWAPPED: Order = { list: [ITEMS[1], ITEMS[0], ITEMS[2], ITEMS[3]] as Item[] }
/** Longer than a process keeps a claim to itself. */
const LEASE_MS = 31_000
const RESULTS = ITEMS.map(({ type, value }) => JSON.stringify(CHECKS[type](value)))

describe.each(DOORS)('a list over %s', (name) => {
  let service: ListService
  let door: Door
  beforeEach(async () => {
    service = await startListService()
    door = doorOf(service, name)
  })
  afterEach(() => service.stop())

  const payFor = async (order: Order): Promise<PaymentPayload> => service.sign(await door.ask(order))

  it('is quoted for its number of values', async () => {
    const { accepts } = await door.ask(LIST)
    expect(accepts[0]?.amount).toBe('4000')
    expect((await door.ask({ list: ITEMS.slice(0, 1) })).accepts[0]?.amount).toBe('1000')
  })

  it('is sold once, with the results of single calls, in order', async () => {
    const payload = await payFor(LIST)
    const sold = await door.buy(LIST, payload)
    expect(sold).toMatchObject({ outcome: 'sold', results: RESULTS })
    for (const [index, single] of ITEMS.entries()) {
      const { results } = await door.buy({ single }, await payFor({ single }))
      expect(results).toEqual([sold.results[index]])
    }
    expect(await service.charged()).toBe(8)
  })

  it('is answered again for the same payment, also by another process, and not with two values swapped', async () => {
    const payload = await payFor(LIST)
    await door.buy(LIST, payload)
    expect(await door.buy(LIST, payload)).toMatchObject({ outcome: 'replayed', results: RESULTS })
    await service.bench.restart()
    expect(await door.buy(LIST, payload)).toMatchObject({ outcome: 'replayed', results: RESULTS })
    for (const other of [SWAPPED, { list: ITEMS.slice(1) }, { list: [...ITEMS, ...ITEMS.slice(0, 1)] }]) {
      const { outcome, results } = await door.buy(other, payload)
      expect([outcome, results]).toEqual(['payment_already_used', []])
    }
    expect(await service.charged()).toBe(4)
  })

  it('is not sold on the terms of a single call, nor the other way round', async () => {
    const [single] = ITEMS as [Item]
    const ofSingle = await payFor({ single })
    const ofList = await payFor(LIST)
    for (const answer of [await door.buy(LIST, ofSingle), await door.buy({ single }, ofList)])
      expect(answer).toMatchObject({ outcome: 'payment_terms_mismatch', charged: 'false', results: [] })
    expect(service.bench.facilitator.settled).toEqual([])
    expect(await service.charged()).toBe(0)
  })

  it('sent in copies at once is charged once', async () => {
    const payload = await payFor(LIST)
    const answers = await Promise.all(Array.from({ length: 6 }, () => door.buy(LIST, payload)))
    for (const { results } of answers) expect(results).toEqual(RESULTS)
    expect(service.bench.facilitator.settled).toHaveLength(1)
    expect(await service.charged()).toBe(4)
  })

  it('of which two orders come at once under one payment is sold for one of them', async () => {
    const payload = await payFor(LIST)
    const answers = await Promise.all([door.buy(LIST, payload), door.buy(SWAPPED, payload)])
    const outcomes = answers.map(({ outcome }) => outcome).toSorted()
    expect(outcomes).toEqual(['payment_already_used', 'sold'])
    expect(await service.charged()).toBe(4)
  })

  it.each<[string, SettleAct[], string]>([
    ['the outcome is unknown and nothing moved', [{ says: 'unknown' }], 'payment_in_doubt'],
    ['the transfer lands late', [{ lands: 'after', says: 'unknown' }], 'payment_in_doubt'],
    ['the facilitator was not reached', [{ says: 'not_sent' }], 'facilitator_unavailable'],
  ])('when %s is not sold, and is sold once to the same request', async (_what, acts, code) => {
    const payload = await payFor(LIST)
    service.bench.facilitator.script.push(...acts)
    const first = await door.buy(LIST, payload)
    expect(first).toMatchObject({ outcome: code, results: [] })
    await service.bench.facilitator.landLate()
    expect((await door.buy(LIST, payload)).results).toEqual(RESULTS)
    expect(await service.charged()).toBe(4)
  })

  it('is answered from the chain if the facilitator falls silent after the transfer', async () => {
    const payload = await payFor(LIST)
    service.bench.facilitator.script.push({ lands: 'before', says: 'unknown' })
    expect((await door.buy(LIST, payload)).results).toEqual(RESULTS)
    expect(await service.charged()).toBe(4)
  })

  it('whose process dies while settling is sold once by the next one', async () => {
    const payload = await payFor(LIST)
    service.bench.facilitator.script.push({ lands: 'before', says: 'nothing' })
    const lost = door.buy(LIST, payload).catch(() => 'no answer')
    await eventually(() => service.charged()).toBe(4)
    await service.bench.restart()
    service.bench.clock.advance(LEASE_MS)
    expect((await door.buy(LIST, payload)).results).toEqual(RESULTS)
    expect(await service.charged()).toBe(4)
    service.hangUp()
    expect(await lost).toBe('no answer')
  })

  it('is refused while the store is down, before anything is sent', async () => {
    const payload = await payFor(LIST)
    service.bench.faults.push({ method: 'claim', when: 'before' })
    const refused = await door.buy(LIST, payload)
    service.bench.faults.length = 0
    expect(refused).toMatchObject({ outcome: 'store_unavailable', results: [] })
    expect(service.bench.facilitator.settled).toEqual([])
    expect((await door.buy(LIST, payload)).results).toEqual(RESULTS)
    expect(await service.charged()).toBe(4)
  })

  it('leaves no value in any answer, log line or row', async () => {
    const payload = await payFor(LIST)
    service.bench.facilitator.script.push({ says: 'unknown' })
    const seen: Answer[] = [
      await door.buy(LIST, payload),
      await door.buy(LIST, payload),
      await door.buy(SWAPPED, payload),
      await door.buy({ list: [...ITEMS, { type: 'iban', value: 5 }] }, payload),
    ]
    const traces = `${seen.map(({ text }) => text).join('\n')}\n${service.traces()}`
    for (const { type, value } of ITEMS) expect(leaks(type, value, traces)).toEqual([])
  })

  const CANARY = 'GB94BARC10201530093459'
  const many = (count: number) => Array.from({ length: count }, () => ({ type: 'iban', value: CANARY }))
  it('that is empty is refused before it is paid for', async () => {
    const [single] = ITEMS as [Item]
    const { results, text } = await door.buy({ list: [] }, await payFor({ single }))
    expect([results, text]).toEqual([[], expect.stringMatching(/at least one (value|part)/)])
    expect(service.bench.facilitator.settled).toEqual([])
  })

  // A part of a message has a path of its own, and its type is the skill it asks for.
  const isPart = name.startsWith('a2a')
  const type = isPart ? 'unknown_type' : 'item_type_unknown'
  const untrueOfItems = isPart ? /The body/ : /The (?:body|arguments|member)/
  it.each<[string, readonly Item[], ErrorCode | undefined, number?]>([
    ['has 1,001 values', many(1001), 'list_too_long'],
    ['has a number for a value', [...many(1), { type: 'iban', value: 5 }], 'value_not_string', 1],
    [
      'has a value that is too long',
      [...many(2), { type: 'iban', value: CANARY.repeat(24) }],
      'value_too_long',
      2,
    ],
    ['has half a character', [{ type: 'iban', value: '\ud800' }, ...many(1)], 'value_not_unicode', 0],
    ['has an unknown type', [...many(1), { type: CANARY, value: 'x' }], type, 1],
    ['has a type that is not a text', [...many(1), { type: 7, value: 'x' }], isPart ? undefined : type, 1],
    ['has a type of the prototype', [...many(1), { type: '__proto__', value: 'x' }], type, 1],
  ])('that %s is refused before it is paid for, and names only the index', async (_what, list, code, index) => {
    const [single] = ITEMS as [Item]
    const payload = await payFor({ single })
    const { outcome, charged, results, text } = await door.buy({ list }, payload)
    expect([outcome, charged, results]).toEqual([code, 'false', []])
    expect(text).not.toContain(CANARY)
    expect(text).toMatch(
      index === undefined ? /1,000 values/ : new RegExp(`"index":\\s?"?${index}\\b|\\[${index}\\]`),
    )
    expect(text).not.toMatch(index === undefined ? /"index"/ : untrueOfItems)
    expect(service.bench.facilitator.settled).toEqual([])
    expect(service.traces()).not.toContain(CANARY)
  })
})

it('a task of a list is paid in two messages, by another process, and holds no value', async () => {
  const service = await startListService()
  const post = async (method: string, params: object) => {
    const response = await fetch(`${service.url}/a2a`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return (await response.json()) as { result: Json }
  }
  const list = Array.from({ length: 100 }, (_, n) => ITEMS[n % 4] as (typeof ITEMS)[number])
  const parts = list.map(({ type, value }) => ({ data: { skill: type, input: { value } } }))
  const aware = { 'x402.payment.status': 'payment-required' }
  const message = { messageId: 'm-1', role: 'ROLE_USER', metadata: aware, parts }
  const { task } = (await post('SendMessage', { message })).result
  const required = task.status.message.metadata['x402.payment.required']
  expect(required.accepts[0].amount).toBe('100000')

  await service.bench.restart()
  const metadata = {
    'x402.payment.status': 'payment-submitted',
    'x402.payment.payload': await service.sign(required),
  }
  const paying = { messageId: 'm-2', role: 'ROLE_USER', taskId: task.id, metadata, parts: [{ text: 'paid' }] }
  const paid = (await post('SendMessage', { message: paying })).result.task
  const results = paid.artifacts[0].parts.flatMap(({ data }: Json) => (data === undefined ? [] : [data]))
  expect(results).toEqual(list.map(({ type, value }) => CHECKS[type](value)))
  expect((await post('SendMessage', { message: paying })).result.task.artifacts).toEqual(paid.artifacts)
  expect((await post('GetTask', { id: task.id })).result).toEqual(paid)
  expect(await service.charged()).toBe(100)
  const traces = `${JSON.stringify(task)}${JSON.stringify(paid)}${service.traces()}`
  for (const { type, value } of ITEMS) expect(leaks(type, value, traces)).toEqual([])
  await service.stop()
})

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at member by member
type Json = any
