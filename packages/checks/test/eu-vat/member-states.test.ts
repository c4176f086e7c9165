import { describe, expect, test } from 'vitest'
import { MEMBER_STATES } from '../../src/eu-vat/member-states.ts'
import { hasFormat, readVectors } from './vectors.ts'

const vectors = readVectors()

describe('the list of VAT prefixes', () => {
  test('holds the 27 member states and XI in alphabetical order', () => {
    const prefixes = [...MEMBER_STATES.keys()]
    expect(prefixes).toHaveLength(28)
    expect(prefixes).toEqual([...prefixes].sort())
    expect([...MEMBER_STATES].every(([prefix, state]) => prefix === state.prefix)).toBe(true)
  })

  test('has EL for Greece, and neither GR nor GB', () => {
    expect(MEMBER_STATES.get('EL')?.country).toBe('Greece')
    expect(MEMBER_STATES.has('GR')).toBe(false)
    expect(MEMBER_STATES.has('GB')).toBe(false)
  })

  test('only Northern Ireland is not a member state', () => {
    const others = [...MEMBER_STATES.values()].filter(({ euMember }) => euMember === false)
    expect(others.map((state) => state.prefix)).toEqual(['XI'])
  })

  test('formats use the placeholders 9, L, X, S and the literals of the VIES structures only', () => {
    for (const state of MEMBER_STATES.values()) {
      for (const format of state.formats) expect(format).toMatch(/^[9LXSUBGDHA01]{2,12}$/)
    }
  })
})

describe('values that other validators take and no format matches', () => {
  test.each([
    'BE2234567890',
    'BE428759497',
    'CY_________',
    'EL94051189',
    'ES128184661',
    'LT1195115150',
    'LT11951151500',
    'NL4495445B01',
    'NL004495445X01',
    'RO1630615123457',
    'XIGD00',
    'XIAB123',
  ])('%s', (value) => {
    const formats = MEMBER_STATES.get(value.slice(0, 2))!.formats
    expect(formats.some((format) => hasFormat(value.slice(2), format))).toBe(false)
  })
})

describe.each([...MEMBER_STATES.values()])('$prefix $country', (state) => {
  const own = vectors.get(state.prefix) ?? []

  test('has three published numbers and one wrong one', () => {
    expect(own.filter((vector) => vector.national === 'passed').length).toBeGreaterThanOrEqual(3)
    expect(own.some((vector) => vector.national === 'failed')).toBe(true)
  })

  test.each(own)('$value $national', ({ value, national }) => {
    expect(value.slice(0, 2)).toBe(state.prefix)
    const part = value.slice(2)
    expect(state.formats.some((format) => hasFormat(part, format))).toBe(true)
    expect(state.national.passes(part)).toBe(national === 'passed')
  })
})
