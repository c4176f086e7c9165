import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it, test } from 'vitest'
import { breaks, breaksSinceRelease } from '../../scripts/compare-schemas.ts'
import { realRegistry } from '../support/registry.ts'

test('no answer of today breaks a client that validates by the last released schemas', () => {
  expect(breaksSinceRelease()).toEqual([])
})

describe.each(
  realRegistry().all.map((skill) => [skill.id, skill] as const),
)('the schema of %s', (_, skill) => {
  const fits = new Ajv2020({ strict: true }).compile(skill.outputSchema)
  const { details, ...verdict } = skill.examples[0]!.output

  it.each([
    ['a member', { ...verdict, later: 1, details }],
    ['a detail', { ...verdict, details: { ...details, later: { a: 1 } } }],
    ['a code', { ...verdict, details: { ...details, code: 'later' } }],
    ['a hint', { ...verdict, details: { ...details, hint: 'later' } }],
    ['a warning', { ...verdict, details: { ...details, warnings: ['later'] } }],
    ['a ruleset', { ...verdict, details: { ...details, ruleset: 'later' } }],
  ])('takes %s of a later version', (_name, later) => {
    expect([fits(later), fits.errors]).toEqual([true, null])
  })
})

const OLD = {
  type: 'object',
  properties: {
    a: { type: 'string', pattern: '^x$' },
    b: { enum: ['one', 'two'] },
    c: { type: 'array', items: { type: 'object', properties: {}, additionalProperties: false } },
    d: { type: 'number', minimum: 1, maximum: 5 },
  },
  required: ['a'],
}
const changed = (member: string, schema: object) => ({
  ...OLD,
  properties: { ...OLD.properties, [member]: schema },
})

describe('a comparison names', () => {
  it.each([
    ['a pattern', changed('a', { type: 'string', pattern: '^y$' }), ['of.a: pattern has changed']],
    ['a missing pattern', changed('a', { type: 'string' }), ['of.a: pattern has changed']],
    ['another type', changed('a', { type: ['string', 'null'], pattern: '^x$' }), ['of.a: may now be null']],
    ['another word', changed('b', { enum: ['one', 'three'] }), ['of.b: may now be three']],
    ['any word', changed('b', { type: 'string' }), ['of.b: may now be anything']],
    [
      'a lower bound',
      changed('d', { type: 'number', minimum: 0, maximum: 5 }),
      ['of.d: minimum has changed'],
    ],
    ['no bound', changed('d', { type: 'number', minimum: 1 }), ['of.d: maximum has changed']],
    [
      'a member of a closed object',
      changed('c', { type: 'array', items: { type: 'object', properties: { e: {} } } }),
      ['of.c[].e: added to a closed object'],
    ],
    ['a member that may be absent', { ...OLD, required: [] }, ['of.a: no longer always present']],
  ])('%s', (_name, now, lines) => {
    expect(breaks(OLD, now, 'of')).toEqual(lines)
  })

  it.each([
    ['a new member', changed('e', { type: 'string' })],
    ['fewer words', changed('b', { enum: ['two'] })],
    ['one word', changed('b', { const: 'two' })],
    ['an integer', changed('d', { type: 'integer', minimum: 2, maximum: 5 })],
    ['other words', { ...OLD, description: 'b' }],
    ['more that is required', { ...OLD, required: ['a', 'b'] }],
  ])('not %s', (_name, now) => {
    expect(breaks(OLD, now, 'of')).toEqual([])
  })
})
