/** Which skill a message orders; what is free, what is refused, and that nothing of it is repeated. */
import { afterAll, describe, expect, it } from 'vitest'
import {
  IN_BAND,
  type Json,
  messageOf,
  order,
  type SimpleMessage,
  sendRequest,
  stateOf,
  taskOf,
  VERSIONS,
} from '../a2a-client.ts'
import { startA2aService } from '../a2a-service.ts'

const IBAN = 'DE89370400440532013000'

describe.each(VERSIONS)('an order over %s', async (version) => {
  const service = await startA2aService()
  afterAll(() => service.close())

  const send = async (message: SimpleMessage): Promise<Json> =>
    (await service.post(sendRequest(version, message), IN_BAND)).json

  /** The skill a message was routed to, by the neutral entry of its task's history. */
  const routed = async (message: SimpleMessage): Promise<string> => {
    const task = taskOf(await send(message))
    expect(stateOf(task)).toBe('INPUT_REQUIRED')
    return task.history[0].parts[0].text.split(' ')[0]
  }

  it.each([
    [{ skill: 'iban', input: { value: IBAN } }, 'iban'],
    [{ skillId: 'eu-vat', input: { value: 'x' } }, 'eu-vat'],
    [{ type: 'pl-nip', value: 'x' }, 'pl-nip'],
    [{ skill: 'pl-regon', parameters: { value: 'x' } }, 'pl-regon'],
    [{ skill: 'validate_pl_pesel', input: { value: '' } }, 'pl-pesel'],
    [{ skill: 'VAT', input: { value: 'x' } }, 'eu-vat'],
    [{ skill: 'nip', input: { value: 'x' } }, 'pl-nip'],
    [{ skill: 'regon', input: { value: 'x' } }, 'pl-regon'],
    [{ skill: 'pesel', input: { value: 'x' } }, 'pl-pesel'],
    [{ skill: 'e-mail', input: { value: 'x' } }, 'email'],
    [{ skill: 'EU_VAT', input: { value: 'x' } }, 'eu-vat'],
    [{ skill: 'Partita IVA', input: { value: 'x' } }, 'eu-vat'],
    [{ skill: 'iban', input: { value: 'x' }, requestId: 'r-1', name: 'Jan' }, 'iban'],
    [{ name: 'validate_iban', arguments: { value: 'x' } }, 'iban'],
    [{ skill: null, skillId: null, name: 'validate_iban', arguments: { value: 'x' } }, 'iban'],
    [{ tool: 'validate_email', arguments: { email: 'x' } }, 'email'],
    [{ type: 'tool_use', name: 'validate_pl_nip', input: { value: 'x' } }, 'pl-nip'],
    [{ type: 'function', function: { name: 'validate_eu_vat', arguments: '{"value":"x"}' } }, 'eu-vat'],
    [{ method: 'tools/call', params: { name: 'validate_pl_regon', arguments: { value: 'x' } } }, 'pl-regon'],
    [{ iban: 'x' }, 'iban'],
    [{ 'EU-VAT': 'x', note: 'y' }, 'eu-vat'],
    [{ vat_number: 'x' }, 'eu-vat'],
    [{ NIP: 'x' }, 'pl-nip'],
    [{ regon: 'x' }, 'pl-regon'],
    [{ Pesel: 'x' }, 'pl-pesel'],
    [{ 'e-mail': 'x' }, 'email'],
  ])('as a data part %j goes to %s', async (data, skill) => {
    expect(await routed({ parts: [{ data }] })).toBe(skill)
    expect(await routed({ parts: [{ text: 'advisory words: nip 1234563218' }, { data }] })).toBe(skill)
    expect(await routed({ parts: [{ text: JSON.stringify(data) }] })).toBe(skill)
  })

  it('by metadata takes the text as the value, whatever it looks like', async () => {
    expect(await routed({ parts: [{ text: 'a@b.example' }], metadata: { skillId: 'iban' } })).toBe('iban')
    expect(await routed({ parts: [{ text: '' }], metadata: { skillId: 'validate_email' } })).toBe('email')
    expect(await routed({ parts: [{ text: 'x' }], metadata: { skill: 'nip' } })).toBe('pl-nip')
  })

  it('by a data part comes before metadata, and metadata before the text', async () => {
    expect(await routed({ parts: [order('pl-nip', 'x')], metadata: { skillId: 'iban' } })).toBe('pl-nip')
    expect(await routed({ parts: [{ text: 'nip 1234563218' }], metadata: { skillId: 'email' } })).toBe(
      'email',
    )
  })

  it.each([
    ['iban DE89370400440532013000', 'iban'],
    ['Validate VAT ID: PL1234563218', 'eu-vat'],
    ['vat: PL1234563218', 'eu-vat'],
    ['regon 123456785', 'pl-regon'],
    ['check pesel 44051401359', 'pl-pesel'],
    ['e-mail someone@example.com', 'email'],
  ])('in the words %j goes to %s', async (text, skill) => {
    expect(await routed({ parts: [{ text }] })).toBe(skill)
  })

  it.each([
    ['Hello, what can you do?', 'none'],
    ['', 'none'],
    ['help', 'none'],
    ['1234563218', 'none'],
    ['44051401359', 'none'],
    ['check 123456785', 'none'],
    ['DE123456789', 'none'],
    ['iban '.padEnd(4_001), 'none'],
    ['nip or regon 123456785', 'several'],
    ['iban DE89370400440532013000 FR1420041010050500013M02606', 'several'],
    ['a@example.com b@example.com', 'several'],
    ['vat nip PL1234563218', 'several'],
    ['iban', 'iban'],
    ['validate iban', 'iban'],
    ['e-mail someone', 'email'],
    ['is 1234563218 a NIP?', 'pl-nip'],
    ['Please validate the IBAN DE89370400440532013000.', 'iban'],
    ['Is "someone@example.com" fine?', 'email'],
    [IBAN, 'iban'],
    ['{"skill": "iban", "input": {"value": "DE89"}', 'iban'],
    ['iban\nDE89370400440532013000', 'iban'],
  ])('is not guessed from %j: the answer is free help', async (text, meant) => {
    const message = messageOf(await send({ parts: [{ text }] }))
    expect(message.role).toMatch(/^(ROLE_AGENT|agent)$/)
    const [words, copy] = message.parts
    const { form, skill, priceUsd } = message.metadata['format-checker/help']
    expect(words.text).toContain(form)
    expect(words.text).toContain(priceUsd)
    const isOne = meant !== 'none' && meant !== 'several'
    expect(skill).toBe(isOne ? meant : undefined)
    expect(copy?.data).toEqual(isOne ? { skill: meant, input: {} } : undefined)
    if (!isOne) for (const { id } of service.registry.all) expect(words.text).toContain(id)
    expect(form.split('\n')).toHaveLength(meant === 'several' ? 2 : 1)
  })

  it('help has a data part that is refused until the value is put in, and then is an order', async () => {
    const [, copy] = messageOf(await send({ parts: [{ text: 'is my IBAN right?' }] })).parts
    const reply = await send({ parts: [{ data: copy.data }] })
    expect(reply.error.data[0]).toMatchObject({ reason: 'VALUE_MISSING', metadata: { charged: 'false' } })
    expect(await routed({ parts: [{ data: { ...copy.data, input: { value: 'x' } } }] })).toBe('iban')
  })

  it('help keeps the context and is the same for every client', async () => {
    const [one, other] = await Promise.all([
      send({ parts: [{ text: 'hi' }], contextId: 'ctx-1' }),
      send({ parts: [{ text: 'check 44051401359' }], contextId: 'ctx-1' }),
    ])
    expect(messageOf(one).contextId).toBe('ctx-1')
    expect({ ...messageOf(one), messageId: '' }).toEqual({ ...messageOf(other), messageId: '' })
  })

  it.each([
    ['unknown skill', { skill: 'passport-Q7', input: { value: 'Q7' } }, 'UNKNOWN_TYPE'],
    ['skill that is no string', { skill: { Q7: 1 }, input: { value: 'Q7' } }, 'INVALID_PARAMS'],
    ['unknown skill beside a known name', { skill: 'Q7', name: 'iban', value: 'Q7' }, 'UNKNOWN_TYPE'],
    ['unknown skill beside a known member', { skillId: 'Q7', iban: 'Q7' }, 'UNKNOWN_TYPE'],
    [
      'skill named like a member of every object',
      { skill: 'constructor', input: { value: 'Q7' } },
      'UNKNOWN_TYPE',
    ],
    ['no skill', { input: { value: 'Q7' } }, 'INVALID_PARAMS'],
    ['no input', { skill: 'iban' }, 'VALUE_MISSING'],
    ['an empty input', { skill: 'iban', input: {} }, 'VALUE_MISSING'],
    ['an input that is no object', { skill: 'iban', input: 'Q7' }, 'NOT_AN_OBJECT'],
    ['a value that is no string', { skill: 'iban', input: { value: 7 } }, 'VALUE_NOT_STRING'],
    [
      'a value of 513 characters',
      { skill: 'iban', input: { value: 'Q7'.padEnd(513, '1') } },
      'VALUE_TOO_LONG',
    ],
    ['a lone surrogate', { skill: 'iban', input: { value: 'Q7\ud800' } }, 'VALUE_NOT_UNICODE'],
    ['another member beside the value', { skill: 'iban', input: { value: 'x', Q7: 1 } }, 'UNKNOWN_FIELD'],
    ['two names', { skill: 'iban', type: 'pl-nip', value: 'Q7' }, 'INVALID_PARAMS'],
    ['two inputs', { skill: 'iban', value: 'Q7', input: { value: 'Q7' } }, 'INVALID_PARAMS'],
    ['a payment mandate', { 'ap2.mandates.PaymentMandate': { Q7: 1 } }, 'INVALID_PARAMS'],
    ['two types', { iban: 'Q7', email: 'Q7' }, 'INVALID_PARAMS'],
  ])('with %s is refused before any talk of money', async (_, data, reason) => {
    for (const part of [{ data }, { text: JSON.stringify(data) }]) {
      const reply = await service.post(sendRequest(version, { parts: [part] }), {
        'PAYMENT-SIGNATURE': 'e30=',
      })
      expect(reply.status).toBe(200)
      expect(reply.json.error.code).toBe(-32602)
      expect(reply.text).not.toContain('Q7')
      expect(reply.text).not.toContain('accepts')
      const violations = reply.json.error.data.find((detail: Json) => detail.fieldViolations !== undefined)
      expect(violations.fieldViolations[0].field).toMatch(/^message\.parts\[0\]\./)
      expect(reply.json.error.data[0].reason).toBe(reason)
    }
    expect(service.double.attempts).toEqual([])
  })

  it.each([
    ['ibna', 'iban'],
    ['EU-VTA', 'eu-vat'],
    ['validate_pl_nipp', 'pl-nip'],
  ])('with the skill %s gets the suggestion %s and a part to copy', async (typed, meant) => {
    const { error } = await send({ parts: [order(typed, 'x')] })
    expect(error.message).toContain(`did you mean "${meant}"?`)
    const copy = JSON.parse(/\{.*\}/.exec(error.message)?.[0] ?? '')
    expect(await routed({ parts: [{ data: copy }] })).toBe('iban')
  })

  it('with an unknown skill gets the known ones', async () => {
    const { error } = await send({ parts: [order('passport', 'x')] })
    for (const { id } of service.registry.all) expect(error.message).toContain(id)
  })

  it.each([
    [
      'a list beside a data part',
      { parts: [order('iban', 'x'), { data: { skill: 'iban', input: { values: ['x'] } } }] },
    ],
    ['two texts to a named skill', { parts: [{ text: 'x' }, { text: 'y' }], metadata: { skillId: 'iban' } }],
    ['a named skill without a text', { parts: [], metadata: { skillId: 'iban' } }],
    ['an unknown skill in metadata', { parts: [{ text: 'x' }], metadata: { skillId: 'passport' } }],
    ['a skill in metadata that is no string', { parts: [{ text: 'x' }], metadata: { skillId: 7 } }],
    ['a long text to a named skill', { parts: [{ text: 'x'.repeat(513) }], metadata: { skillId: 'iban' } }],
  ] as const)('with %s is refused', async (_, message) => {
    expect((await send(message)).error.code).toBe(-32602)
  })
})
