/** Lists over A2A: several data parts, or one with values, are one task for one payment. */
import { readFileSync } from 'node:fs'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakePayment } from '../../support/a2a-double.ts'
import {
  asHeader,
  IN_BAND,
  type Json,
  order,
  paying,
  paymentOf,
  type SimplePart,
  sendRequest,
  stateOf,
  taskOf,
  taskRequest,
  VERSIONS,
} from './a2a-client.ts'
import { type A2aService, startA2aService } from './a2a-service.ts'

const CANARY = 'GB94BARC10201530093459'
const IBANS = ['DE89370400440532013000', 'nonsense', 'PL61109010140000071219812874']
const VERDICTS = IBANS.map((value) => CHECKS.iban(value))
const PAGE = readFileSync(new URL('../../../docs/a2a.md', import.meta.url), 'utf8')

const values = (list: unknown, skill = 'iban'): SimplePart => ({ data: { skill, input: { values: list } } })
const parts = (list: readonly unknown[]): SimplePart[] => list.map((value) => order('iban', value))
const dataIn = (task: Json): Json[] =>
  task.artifacts[0].parts.flatMap(({ data }: Json) => (data === undefined ? [] : [data]))

describe.each(VERSIONS)('a list over %s', (version) => {
  let service: A2aService
  beforeEach(async () => {
    service = await startA2aService()
  })
  afterEach(() => service.close())

  const send = (list: readonly SimplePart[], headers: Record<string, string> = {}, change: object = {}) =>
    service.post(sendRequest(version, { parts: list, ...change }), headers)
  const byHeader = async (list: readonly SimplePart[], headers: Record<string, string> = {}) => {
    const asked = await send(list)
    const required = JSON.parse(Buffer.from(asked.headers.get('payment-required') ?? '', 'base64').toString())
    return { required, reply: await send(list, { ...asHeader(fakePayment(required)), ...headers }) }
  }

  it.each([
    ['several data parts', parts(IBANS)],
    ['one data part', [values(IBANS)]],
    [
      'one data part with parameters',
      [{ data: { skillId: 'validate_iban', parameters: { values: IBANS } } }],
    ],
    ['a text that is such a part', [{ text: JSON.stringify({ skill: 'iban', input: { values: IBANS } }) }]],
    ['data parts with a text beside them, which is ignored', [{ text: `nip ${CANARY}` }, ...parts(IBANS)]],
  ] as const)('in %s is one task in two messages', async (_form, list) => {
    const unpaid = taskOf((await send(list, IN_BAND)).json)
    expect(stateOf(unpaid)).toBe('INPUT_REQUIRED')
    const required = paymentOf(unpaid)['x402.payment.required']
    expect(required.accepts[0].amount).toBe('3000')
    expect(unpaid.status.message.parts[0].text).toContain(
      'The list of 3 iban checks is ready and costs USD 0.003,',
    )
    expect(unpaid.history[0].parts[0].text).toBe('list of 3 iban checks, input withheld')

    const paid = await service.post(sendRequest(version, { taskId: unpaid.id, metadata: paying(required) }))
    const task = taskOf(paid.json)
    expect(stateOf(task)).toBe('COMPLETED')
    expect(task.artifacts).toHaveLength(1)
    expect(JSON.stringify(dataIn(task))).toBe(JSON.stringify(VERDICTS))
    expect(task.artifacts[0].parts.at(-1).text).toBe(
      '3 values: 2 valid, 1 invalid. The results are in the order of the values.',
    )
    expect((await service.post(taskRequest(version, 'get', unpaid.id))).json.result).toEqual(task)
    expect(service.double.settlements).toBe(1)
  })

  it('may mix skills, and is sold by header', async () => {
    const list = [order('iban', IBANS[0]), order('email', 'someone@example.com')]
    const { required, reply } = await byHeader(list)
    expect(required.accepts[0].amount).toBe('2000')
    expect(reply.status).toBe(200)
    const task = taskOf(reply.json)
    expect(dataIn(task)).toEqual([CHECKS.iban(IBANS[0] ?? ''), CHECKS.email('someone@example.com')])
    expect(task.history[0].parts[0].text).toBe('list of 2 checks, input withheld')
  })

  it('of 100 values is held in band; of 101 it is refused there and quoted by header', async () => {
    const list = Array.from({ length: 101 }, (_, n) => `${CANARY}${n}`)
    expect(stateOf(taskOf((await send([values(list.slice(1))], IN_BAND)).json))).toBe('INPUT_REQUIRED')
    const refused = await send([values(list)], IN_BAND)
    expect(refused.json.error.code).toBe(-32602)
    expect(refused.json.error.data[0].metadata).toMatchObject({ code: 'list_too_long', charged: 'false' })
    const asked = await send([values(list)])
    expect([asked.status, asked.json.error.message]).toEqual([402, expect.stringContaining('USD 0.101,')])
  })

  it.each([
    ['several data parts', (list: readonly string[]) => parts(list)],
    ['one data part', (list: readonly string[]) => [values(list)]],
  ])('of 1,000 long values in %s is sold by header, and its task is not stored', async (_form, partsOf) => {
    const list = Array.from({ length: 1000 }, (_, n) => `${'x'.repeat(500)}${n}`)
    const { required, reply } = await byHeader(partsOf(list))
    expect([required.accepts[0].amount, reply.status]).toEqual(['1000000', 200])
    const task = taskOf(reply.json)
    expect(dataIn(task)).toHaveLength(1000)
    const asked = await service.post(taskRequest(version, 'get', task.id))
    expect(asked.json.error.code).toBe(-32001)
  })

  it.each<[string, readonly SimplePart[], string, string, string?]>([
    ['is empty', [values([])], 'list_empty', 'message.parts[0].data.input'],
    [
      'has 1,001 values',
      [values(Array.from({ length: 1001 }, () => CANARY))],
      'list_too_long',
      'message.parts[0].data.input',
    ],
    ['has 1,001 parts', parts(Array.from({ length: 1001 }, () => CANARY)), 'list_too_long', 'message.parts'],
    [
      'has a number in it',
      [values([CANARY, 5])],
      'value_not_string',
      'message.parts[0].data.input.values[1]',
      '1',
    ],
    [
      'has a long value in a part',
      parts([CANARY, CANARY.repeat(30)]),
      'value_too_long',
      'message.parts[1].data.input.value',
      '1',
    ],
    [
      'has half a character behind a text',
      [{ text: 'see' }, ...parts(['x', '\ud800'])],
      'value_not_unicode',
      'message.parts[2].data.input.value',
      '1',
    ],
    [
      'has an unknown skill',
      [...parts([CANARY]), order('passport', CANARY)],
      'unknown_type',
      'message.parts[1].data.skill',
      '1',
    ],
    [
      'has more members in an input',
      [...parts([CANARY]), { data: { skill: 'iban', input: { value: 'x', [CANARY]: 1 } } }],
      'unknown_field',
      'message.parts[1].data.input.value',
      '1',
    ],
    [
      'has both forms',
      [{ data: { skill: 'iban', input: { values: [CANARY], value: CANARY } } }],
      'list_missing',
      'message.parts[0].data.input',
    ],
    ['has a text for its values', [values(CANARY)], 'list_missing', 'message.parts[0].data.input'],
  ])('that %s is refused whole, and no value comes back', async (_what, list, code, field, index) => {
    const headers = asHeader(
      fakePayment(service.double.quote.single(service.registry.all[0]!, 'a2a').required('payment_required')),
    )
    for (const given of [{}, IN_BAND, headers]) {
      const { text, json } = await send(list, given)
      expect(json.error.code).toBe(-32602)
      const [info, request] = json.error.data
      expect([info.metadata.code, info.metadata.charged, info.metadata.index]).toEqual([code, 'false', index])
      expect(request.fieldViolations[0].field).toBe(field)
      expect(text).not.toContain(CANARY)
    }
    expect(service.double.attempts).toEqual([])
    expect(JSON.stringify(service.logged)).not.toContain(CANARY)
  })

  it('that is in one data part beside another is refused', async () => {
    const { json } = await send([...parts(['x']), values(['y'])])
    expect(json.error.data[1].fieldViolations[0].field).toBe('message.parts[1].data')
  })

  it('whose value is in one of the ids is refused', async () => {
    const { text, json } = await send([values(['x', CANARY])], {}, { id: `a-${CANARY}` })
    expect([json.error.code, json.id]).toEqual([-32600, null])
    expect(text).not.toContain(CANARY)
  })
})

describe('a long body', () => {
  let service: A2aService
  beforeEach(async () => {
    service = await startA2aService({ unpaidPerMinute: 20 })
  })
  afterEach(() => service.close())
  const status = async (list: readonly SimplePart[], headers = {}) =>
    (await service.post(sendRequest('1.0', { parts: list }), headers)).status
  const LONG = 'x'.repeat(20_000)
  const LIST = values(Array.from({ length: 100 }, () => 'x'.repeat(500)))

  it.each<[string, readonly SimplePart[]]>([
    ['a text', [{ text: LONG }]],
    ['one value', [order('iban', LONG)]],
    ['a value that is a list', [order('iban', [LONG])]],
    ['a list of too many members', [values([...Array(30_000)].map(() => 1))]],
    ['2 MB', [values(Array.from({ length: 4000 }, () => 'x'.repeat(500)))]],
  ])('is refused for %s', async (_what, list) => {
    expect(await status(list)).toBe(413)
    expect(await status(list, { 'PAYMENT-SIGNATURE': 'e30=' })).toBe(413)
  })

  it('may have 1 MB to the byte', async () => {
    const body = JSON.stringify(sendRequest('1.0', { parts: [LIST] })).padEnd(1_048_576)
    expect((await service.post(body)).status).toBe(402)
    expect((await service.post(`${body} `)).status).toBe(413)
  })

  it('is refused if it is not JSON', async () => {
    expect((await service.post(LONG)).status).toBe(413)
  })

  it('of an address over its limit is not read', async () => {
    while ((await status([order('iban', 'x')])) === 402);
    expect(await status([LIST], IN_BAND)).toBe(429)
    expect(await status([LIST], { 'PAYMENT-SIGNATURE': 'e30=' })).toBe(402)
  })

  it('with a list that waits in a task counts once for every ten values', async () => {
    expect(await status([LIST], IN_BAND)).toBe(200)
    expect(await status([LIST], IN_BAND)).toBe(200)
    expect(await status([LIST], IN_BAND)).toBe(429)
  })
})

it('the list on the page is bought as it is shown', async () => {
  const [, section = ''] = /## Order a list\n([\s\S]*?)\n## /.exec(PAGE) ?? []
  const [, block = ''] = /```json\n([\s\S]*?)```/.exec(section) ?? []
  const service = await startA2aService()
  const part: Json = JSON.parse(block)
  const body = sendRequest('1.0', { parts: [part] })
  const asked = await service.post(body)
  const required = JSON.parse(Buffer.from(asked.headers.get('payment-required') ?? '', 'base64').toString())
  const { json } = await service.post(body, asHeader(fakePayment(required)))
  const ordered: string[] = part.data.input.values
  expect(required.accepts[0].amount).toBe(String(ordered.length * 1000))
  expect(dataIn(taskOf(json))).toEqual(ordered.map((value) => CHECKS.iban(value)))
  await service.close()
})
