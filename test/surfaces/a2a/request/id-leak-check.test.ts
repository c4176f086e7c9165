import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leakCheck } from '../../../../src/surfaces/a2a/request/id-leak-check.ts'
import { IN_BAND, order, paying, paymentOf, sendRequest, stateOf, taskOf, VERSIONS } from '../a2a-client.ts'
import { type A2aService, startA2aService } from '../a2a-service.ts'

const PESEL = '44051401359'
const IBAN = 'DE89370400440532013000'

describe.each(VERSIONS)('an id that spells the value, over %s', (version) => {
  let service: A2aService
  beforeAll(async () => {
    service = await startA2aService()
  })
  afterAll(() => service.close())

  const parts = [order('pl-pesel', PESEL)]

  it.each([
    PESEL,
    `req-${PESEL}`,
    '440514-01359',
    Number(PESEL),
    `x.${PESEL}.y`,
  ])('is refused as JSON-RPC id %j, with id null', async (id) => {
    for (const message of [
      { parts, id },
      { parts: [{ text: `pesel ${PESEL}` }], id },
      { parts: [{ text: `is ${PESEL} right?` }], id },
    ]) {
      const reply = await service.post(sendRequest(version, message), IN_BAND)
      expect(reply.json).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } })
      expect(reply.text).not.toContain(PESEL)
    }
  })

  it('is refused as JSON-RPC id also where the request is bad for another reason', async () => {
    const bad = [
      { ...sendRequest(version, { parts, id: PESEL }), jsonrpc: '1.0' },
      { ...sendRequest(version, { parts, id: PESEL }), method: 'nope' },
      sendRequest(version, { parts: [order('passport', PESEL)], id: PESEL }),
      sendRequest(version, { parts, contextId: 'not allowed!', id: PESEL }),
    ]
    for (const body of bad) {
      const reply = await service.post(body, IN_BAND)
      expect(reply.json).toMatchObject({ id: null, error: { code: -32600 } })
      expect(reply.text).not.toContain(PESEL)
    }
  })

  it.each(['messageId', 'taskId', 'contextId'])('is refused as %s', async (name) => {
    for (const id of [PESEL, `a:${PESEL}`, '4405.1401.359']) {
      const reply = await service.post(sendRequest(version, { parts, [name]: id, id: 7 }), IN_BAND)
      expect(reply.json).toMatchObject({ id: 7, error: { code: -32602 } })
      expect(reply.text).not.toContain(PESEL)
    }
    expect(service.double.kept()).toBe('[]')
  })

  it('is refused for the text of a named skill, and for a value grouped by spaces', async () => {
    const named = {
      parts: [{ text: 'quite-a-secret' }],
      metadata: { skillId: 'email' },
      contextId: 'quite-a-secret',
    }
    expect((await service.post(sendRequest(version, named))).json.error.code).toBe(-32602)
    const grouped = { parts: [{ text: 'iban DE89 3704 0044 0532 0130 00' }], id: IBAN }
    expect((await service.post(sendRequest(version, grouped))).json).toMatchObject({
      id: null,
      error: { code: -32600 },
    })
  })

  it('is not looked for in what a paying follow-up says', async () => {
    const task = taskOf((await service.post(sendRequest(version, { parts }), IN_BAND)).json)
    const metadata = paying(paymentOf(task)['x402.payment.required'])
    const text = `Here is the payment for task ${task.id}.`
    const reply = await service.post(
      sendRequest(version, { taskId: task.id, id: task.id, metadata, parts: [{ text }] }),
    )
    expect(stateOf(taskOf(reply.json))).toBe('COMPLETED')
  })
})

describe('leakCheck', () => {
  it('finds a value in an id whatever stands around it and in whatever case', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Z]{2}[0-9]{6,20}$/),
        fc.stringMatching(/^[ghk._:-]{0,5}$/),
        (value, other) => {
          const id = other + value.toLowerCase() + other
          expect(leakCheck([{ data: { skill: 'x', input: { value } } }], false)(id)).toBe(true)
          expect(leakCheck([{ text: `please check ${value}` }], false)(id)).toBe(true)
          expect(leakCheck([{ text: value }], true)(id)).toBe(true)
        },
      ),
    )
  })

  it('leaves random ids alone', () => {
    const parts = [{ text: 'Hello, what can you do with IBAN DE89370400440532013000 or a@example.com?' }]
    fc.assert(fc.property(fc.uuid({ version: 4 }), (id) => !leakCheck(parts, false)(id)))
    fc.assert(fc.property(fc.nat(99_999), (id) => !leakCheck(parts, false)(String(id))))
  })

  it('finds an address, and does not take its words for it', () => {
    expect(leakCheck([{ text: 'a@b.pl' }], false)('for-a@b.pl')).toBe(true)
    expect(leakCheck([{ text: 'hello agent' }], false)('hello-agent-1')).toBe(false)
    expect(leakCheck([{ data: { skill: 'iban', input: { value: '1' } } }], false)('iban-1')).toBe(false)
    expect(leakCheck([{ data: { skill: 'pl-pesel', input: { value: 'x' } } }], false)('pl-pesel')).toBe(false)
  })
})
