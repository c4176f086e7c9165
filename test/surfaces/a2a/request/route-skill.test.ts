/** What a message orders, by each form of its parts; and by which member it is refused. */
import { describe, expect, it } from 'vitest'
import { skillRouter } from '../../../../src/surfaces/a2a/request/route-skill.ts'
import { realRegistry } from '../../../support/registry.ts'

const router = skillRouter(realRegistry())

/** A string is a text part, an object a data part, null a part of neither kind. */
function contentOf(part: unknown): unknown {
  if (part === null) return undefined
  return { $case: typeof part === 'string' ? 'text' : 'data', value: part }
}

/** Shape, type and values; else the refused member with its code and index; else the reason of the help. */
function route(parts: readonly unknown[], metadata?: object): string {
  const message = { parts: parts.map((part) => ({ content: contentOf(part) })), metadata }
  const found = router(message as never)
  if (found.kind === 'help') return `help ${found.mention.kind}`
  if (found.kind === 'order') {
    const { shape, type, items } = found.ordered
    return [shape, type, ...items.map(({ skill, value }) => `${skill.id}=${value}`)].join(' ')
  }
  const [info, request] = found.error.data
  const { code = '', index = '' } = Object(info?.metadata)
  const [violation] = [request?.fieldViolations].flat()
  return `refused ${Object(violation).field} ${code} ${index}`.trim()
}
const describedAs = (data: object): string => {
  const found = router({ parts: [{ content: contentOf(data) }], metadata: undefined } as never)
  return found.kind === 'fault' ? found.error.message : ''
}

const iban = (value: unknown) => ({ skill: 'iban', input: { value } })
const email = (value: unknown) => ({ skill: 'email', input: { value } })

describe('a data part', () => {
  it.each([
    [iban('x'), 'single iban iban=x'],
    [{ skill: 'iban', value: 'x' }, 'single iban iban=x'],
    [{ skill: 'iban', values: ['x', 'y'] }, 'list iban iban=x iban=y'],
    [{ skill: 'iban', args: { values: ['x'] } }, 'list iban iban=x'],
    [{ iban: 'x' }, 'single iban iban=x'],
    [{ iban: ['x', 'y'] }, 'list iban iban=x iban=y'],
    [{ iban: { value: 'x' } }, 'single iban iban=x'],
    [{ iban: { values: ['x'] } }, 'list iban iban=x'],
    [{ tool: 'validate_email', arguments: { email: 'x' } }, 'single email email=x'],
    [{ tool: 'validate_email', arguments: { email: ['x', 'y'] } }, 'list email email=x email=y'],
    [{ tool: 'validate_email', arguments: '{"email":"x"}' }, 'single email email=x'],
    [{ skill: 'iban', function: { note: 'email' }, value: 'x' }, 'single iban iban=x'],
    [{ skill: 'iban', params: 'name', value: 'x' }, 'single iban iban=x'],
    [{ skill: 'iban', type: 'IBAN', name: 'Jan', value: 'x' }, 'single iban iban=x'],
    [{ function: { name: 'iban', value: 'x' }, params: { name: 'email', value: 'y' } }, 'single iban iban=x'],
  ])('%j orders its values', (data, ordered) => {
    expect(route([data])).toBe(ordered)
  })

  it.each([
    [{ skill: 'passport', value: 'x' }, 'skill unknown_type'],
    [{ tool: 'passport', value: 'x' }, 'tool unknown_type'],
    [{ type: 'order', name: 'Jan', value: 'x' }, 'type unknown_type'],
    [{ skill: 7, value: 'x' }, 'skill'],
    [{ value: 'x' }, 'skill'],
    [{ iban: 'x', value: 'y' }, 'skill'],
    [{ skill: 'iban', type: 'email', value: 'x' }, 'skill'],
    [{ skill: 'iban' }, 'input.value value_missing'],
    [{ skill: 'iban', value: 'x', values: ['y'] }, 'input'],
    [{ skill: 'iban', input: { value: 7 } }, 'input.value value_not_string'],
    [{ skill: 'iban', args: 'x' }, 'args.value not_an_object'],
    [{ skill: 'iban', value: 7 }, 'value value_not_string'],
    [{ skill: 'iban', input: { email: 'x' } }, 'input.value value_missing'],
    [{ skill: 'iban', input: { iban: 'x', more: 'y' } }, 'input.value value_missing'],
    [{ skill: 'iban', values: ['x', 7] }, 'values[1] value_not_string 1'],
    [{ skill: 'iban', input: { values: ['x', 'y', 7] } }, 'input.values[2] value_not_string 2'],
    [{ skill: 'iban', input: { values: [] } }, 'input list_empty'],
    [{ skill: 'iban', input: { values: 'x' } }, 'input list_missing'],
  ])('%j is refused by the member that is wrong', (data, refused) => {
    expect(route([data])).toBe(`refused message.parts[0].data.${refused}`)
    expect(route(['a text', data])).toBe(`refused message.parts[1].data.${refused}`)
    expect(route([JSON.stringify(data)])).toBe(`refused message.parts[0].text.${refused}`)
  })

  it('that names several types is refused as a whole', () => {
    for (const data of [
      { iban: 'x', email: 'y' },
      { vat: 'x', eu_vat: 'y' },
    ])
      expect(route([data])).toBe('refused message.parts[0].data')
  })

  it('with a list is refused for what is wrong with it', () => {
    expect(describedAs({ skill: 'iban', values: 'x' })).toContain(
      '{"values": ["..."]} and nothing else, or {"value"',
    )
    expect(describedAs({ skill: 'ibna', value: 'x' })).toContain('did you mean "iban"?')
    expect(describedAs({ skill: 'iban', values: [] })).not.toContain('{"values": ["..."]}')
    expect(describedAs({ skill: 'iban', values: Array(1_001).fill('x') })).toContain('1,000')
  })

  it('gets an example of its own skill, and one that works if it names none', () => {
    const copied = (data: object) => JSON.parse(/\{.*\}/.exec(describedAs(data))?.[0] ?? '')
    for (const data of [{ skill: 'email' }, email(7)]) expect(copied(data).skill).toBe('email')
    for (const data of [{ skill: 7 }, {}, { skill: 'passport' }])
      expect(route([copied(data)])).toMatch(/^single iban /)
  })
})

describe('several data parts', () => {
  it.each([
    [[iban('x'), iban('y')], 'list iban iban=x iban=y'],
    [[iban('x'), 'a text', email('y')], 'list mixed iban=x email=y'],
    [[iban('x'), iban('y'), email('z')], 'list mixed iban=x iban=y email=z'],
    [[iban('x'), email('y'), iban('z')], 'list mixed iban=x email=y iban=z'],
  ])('%j are a list, of one type only if all are', (parts, ordered) => {
    expect(route(parts)).toBe(ordered)
  })

  it('are refused by the first that is wrong, with its place among them', () => {
    const passport = { skill: 'passport', value: 'x' }
    expect(route([iban('x'), 'a text', passport])).toBe('refused message.parts[2].data.skill unknown_type 1')
    expect(route([iban('x'), { skill: 'iban' }])).toBe(
      'refused message.parts[1].data.input.value value_missing 1',
    )
    expect(route([iban('x'), iban(7)])).toBe('refused message.parts[1].data.input.value value_not_string 1')
    expect(route([iban('x'), { iban: ['y'] }])).toBe('refused message.parts[1].data')
  })

  it('are at most a thousand', () => {
    expect(route(Array(1_000).fill(iban('x')))).toMatch(/^list iban /)
    expect(route(Array(1_001).fill(iban('x')))).toBe('refused message.parts list_too_long')
  })
})

describe('a skill in the metadata', () => {
  it.each([
    [['DE89'], { skillId: 'iban' }, 'single iban iban=DE89'],
    [['{"iban":"x"}'], { skill: 'email' }, 'single email email={"iban":"x"}'],
    [['x'], { skillId: 'iban', skill: 'email' }, 'single iban iban=x'],
    [['x'], { skillId: undefined, skill: 'email' }, 'single email email=x'],
    [[iban('x')], { skill: 'email' }, 'single iban iban=x'],
    [['x'], { skill: 'passport' }, 'refused message.metadata.skill unknown_type'],
    [['x'], { skillId: null }, 'refused message.metadata.skillId'],
    [['x', 'y'], { skillId: 'iban' }, 'refused message.parts'],
    [[null], { skillId: 'iban' }, 'refused message.parts[0].value value_missing'],
    [['x'.repeat(513)], { skillId: 'iban' }, 'refused message.parts[0].value value_too_long'],
  ])('for %j makes the text its value: %j', (parts, metadata, expected) => {
    expect(route(parts, metadata)).toBe(expected)
  })
})

describe('a text', () => {
  it.each([
    [[], 'refused message.parts'],
    [[null], 'help none'],
    [['```json\n{"iban":"x"}\n```'], 'single iban iban=x'],
    [['{"iban":"x"}', 'and more'], 'help one'],
    [['NIP', '12345'], 'help one'],
    [['NIP 12345', 'NIP 12346'], 'list pl-nip pl-nip=12345 pl-nip=12346'],
    [['NIP 12345\n\n  email: a@b\r\n'], 'list mixed pl-nip=12345 email=a@b'],
    [[`email ${'x'.repeat(510)}@b`], `single email email=${'x'.repeat(510)}@b`],
    [[`email ${'x'.repeat(511)}@b`], 'refused message.parts.value value_too_long'],
    [[`nip 1\nemail ${'x'.repeat(511)}@b`], 'refused message.parts.value value_too_long 1'],
  ])('of the parts %j is read as one', (parts, expected) => {
    expect(route(parts)).toBe(expected)
  })
})
