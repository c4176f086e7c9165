import fc from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { leakCheck } from '../../../../src/surfaces/a2a/request/id-leak-check.ts'
import { IN_BAND, order, paying, paymentOf, sendRequest, stateOf, taskOf, VERSIONS } from '../a2a-client.ts'
import { startA2aService } from '../a2a-service.ts'

const PESEL = '44051401359'
const IBAN = 'DE89370400440532013000'

describe.each(VERSIONS)('an id that spells the value, over %s', async (version) => {
  const service = await startA2aService()
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

  it('is refused also if the value is in a text of JSON, as a model writes the arguments of a tool', async () => {
    const call = { name: 'validate_pl_pesel', arguments: JSON.stringify({ value: PESEL }) }
    for (const part of [{ data: call }, { text: `\`\`\`json\n${JSON.stringify(call)}\n\`\`\`` }]) {
      const byId = await service.post(sendRequest(version, { parts: [part], id: `req-${PESEL}` }), IN_BAND)
      expect(byId.json).toMatchObject({ id: null, error: { code: -32600 } })
      const contextId = `req-${PESEL}`
      const byContext = await service.post(sendRequest(version, { parts: [part], contextId }), IN_BAND)
      expect(byContext.json.error.code).toBe(-32602)
      expect(byId.text + byContext.text).not.toContain(PESEL)
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

  it('is refused as contextId', async () => {
    for (const contextId of [PESEL, `a:${PESEL}`, '4405.1401.359']) {
      const reply = await service.post(sendRequest(version, { parts, contextId, id: 7 }), IN_BAND)
      expect(reply.json).toMatchObject({ id: 7, error: { code: -32602 } })
      expect(reply.text).not.toContain(PESEL)
    }
    expect(service.double.kept()).toBe('[]')
  })

  it('is neither kept nor repeated as messageId or taskId', async () => {
    const message = await service.post(sendRequest(version, { parts, messageId: PESEL, id: 7 }), IN_BAND)
    const task = await service.post(sendRequest(version, { parts, taskId: PESEL, id: 7 }), IN_BAND)
    expect(stateOf(taskOf(message.json))).toBe('INPUT_REQUIRED')
    expect(task.json).toMatchObject({ id: 7, error: { code: -32001 } })
    expect(message.text + task.text + service.double.kept()).not.toContain(PESEL)
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

  it('finds a value behind a label, in a call, and in JSON that is written as text', () => {
    const leaks = (part: object, id: string) => leakCheck([{ ...part }], false)(id)
    const json = JSON.stringify({ value: IBAN })
    for (const [part, id] of [
      [{ text: `is NIP:5260250274 valid` }, 'inv-5260250274'],
      [{ text: `check("5260250274")` }, 'inv-5260250274'],
      [{ data: { skill: 'pl-nip', input: { value: 'NIP 5260250274' } } }, 'inv-5260250274'],
      [{ data: { iban: 'IBAN DE89 3704 0044 0532 0130 00, please' } }, `inv-${IBAN}`],
      [{ data: { email: 'mail anna.nowak@example.com' } }, 'for-anna.nowak@example.com'],
      [{ data: { email: 'mail:a@b.c = mine' } }, 'for-a@b.c'],
      [{ text: 'email:anna.nowak@example.com' }, 'anna.nowak@example.com'],
      [{ text: `\`\`\`json\n{"skill":"iban","input":${json}}\n\`\`\`` }, `req-${IBAN}`],
      [{ data: { name: 'validate_iban', arguments: json } }, IBAN],
      [
        { data: { name: 'validate_email', arguments: '{"value":"anna@example.com"}' } },
        'for-anna@example.com',
      ],
      [{ data: { input: { value: 'IBAN: DE89 3704 0044 0532 0130 00' } } }, `req-${IBAN}`],
    ] as const)
      expect([part, leaks(part, id)]).toEqual([part, true])
    expect(leaks({ text: 'my question: is-anybody there' }, 'isanybody')).toBe(false)
    expect(leaks({ data: { arguments: '{"values":["x"]}' } }, 'values-1')).toBe(false)
    expect(leaks({ data: { value: 'batch2024:5260250274' } }, 'batch2024')).toBe(false)
  })

  it('knows a value by its letters, however they carry their accents', () => {
    for (const value of ['zoe\u0308@example.com', 'zo\u00eb@example.com', 'zoe@example.com'])
      for (const id of ['for-zoe\u0308@example.com', 'for-zo\u00ebexamplecom', 'ZOE-EXAMPLE-COM'])
        expect(leakCheck([{ data: { input: { value } } }], false)(id)).toBe(true)
    const groups = [{ text: 'pesel \uff14\uff14\uff10\uff15 1401 359' }]
    expect(leakCheck(groups, false)('44051401359')).toBe(true)
  })

  it('looks for the longest value an id can spell', () => {
    const check = leakCheck([{ text: `${'1-'.repeat(128)} ${'2-'.repeat(129)}` }], false)
    expect(check('1'.repeat(128))).toBe(true)
    const leaks = (size: number) =>
      leakCheck([{ data: { value: '1-'.repeat(size) } }], false)('1'.repeat(128))
    expect([leaks(128), leaks(129)]).toEqual([true, false])
  })

  it('takes six letters and digits for a value, and five for chance', () => {
    const leaks = (part: object, id: string, named = false) => leakCheck([{ ...part }], named)(id)
    expect([leaks({ text: 'is 12345-6 ok' }, '123456'), leaks({ text: 'is 1234-5 ok' }, '12345')]).toEqual([
      true,
      false,
    ])
    expect([leaks({ data: { a: 'abcdef' } }, 'abcdef'), leaks({ data: { a: 'abcde' } }, 'abcde')]).toEqual([
      true,
      false,
    ])
    // A part of a value in groups, and one without a digit, which is a word.
    expect([leaks({ text: '12 345 678' }, '34567a'), leaks({ text: '123 456 78' }, '234567')]).toEqual([
      false,
      true,
    ])
    expect(leaks({ text: 'check the number' }, 'thenumber')).toBe(false)
  })

  it('joins up to ten words from one with a digit to another', () => {
    const leaks = (text: string, id: string) => leakCheck([{ text }], false)(id)
    expect(leaks('iban 12 ab 34 56', 'x-12ab3456-x')).toBe(true)
    const groups = (count: number) => Array.from({ length: count }, (_, index) => 10 + index)
    expect(leaks(`${groups(10).join(' ')}`, `x${groups(10).join('')}x`)).toBe(true)
    expect(leaks(`${groups(11).join(' ')}`, `x${groups(11).join('')}`.replace('1011', ''))).toBe(true)
    const long = ' '.repeat(4_000)
    expect([leaks(`1234567${long}`, 'x1234567x'), leaks(`12 34 56 ${long}`, 'x123456x')]).toEqual([
      true,
      false,
    ])
  })

  it('reads numbers, lists and members of data, but not the name of the skill', () => {
    const leaks = (data: object, id: string) => leakCheck([{ data }], false)(id)
    expect(leaks({ input: { value: 44051401359 } }, 'x44051401359')).toBe(true)
    expect(leaks({ input: { values: ['abc', { a: 'secret words' }] } }, 'secretwords')).toBe(true)
    for (const key of ['skill', 'skillId', 'type'])
      expect(leaks({ [key]: 'secret-x' }, 'secretx')).toBe(false)
    expect(leaks({ name: 'secret-x', a: true, b: null }, 'secretx')).toBe(true)
    for (const name of ['validate_iban', 'validate_pl_pesel', 'EU-VAT'])
      for (const call of [{ name, arguments: { value: '1' } }, { tool: name }, { function: { name } }])
        expect([call, leaks(call, `call_${name}_0`)]).toEqual([call, false])
  })

  // A run of n marks is sorted in n * n steps.
  it('never has a run of marks normalised', () => {
    const long = `a${'\u0301\u0316'.repeat(2_000)}`
    const { texts, spelt } = normalised(() => {
      for (const named of [true, false])
        leakCheck([{ text: `1 ${long}@` }, { data: { x: long } }], named)(long)
    })
    expect(spelt).toContain('a')
    expect(texts.filter((text) => /\p{M}{2}/u.test(text)).length).toBe(0)
  })

  it('spells nothing behind a label that is too short for a value', () => {
    const { texts } = normalised(() => leakCheck([{ data: { x: ':1'.repeat(1_000) } }], false))
    expect(texts.length).toBe(1)
    expect(leakCheck([{ text: 'no:123456' }], false)('x-123456')).toBe(true)
  })

  it('spells each word of a text once for its groups', () => {
    const words = 1_300
    const { texts } = normalised(() => leakCheck([{ text: '12 '.repeat(words) }], false))
    expect(texts.length).toBeLessThan(3 * words)
  })
})

/** The texts that a run had normalised, and what became of them. */
function normalised(run: () => void) {
  const spy = vi.spyOn(String.prototype, 'normalize')
  try {
    run()
    return {
      texts: spy.mock.contexts.map(String),
      spelt: spy.mock.results.map(({ value }) => String(value)),
    }
  } finally {
    spy.mockRestore()
  }
}
