import { PaymentPayloadV2Schema } from '@x402/core/schemas'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isNetwork, PAYLOAD_V2 } from '../../../src/payments/authorization/payload-v2.ts'

type Json = Record<string, unknown>

const good = () => ({
  x402Version: 2,
  resource: {
    url: 'https://checks.example/api/validate/iban',
    description: 'One check',
    mimeType: 'application/json',
    serviceName: 'Checks',
    tags: ['iban'],
    iconUrl: 'https://checks.example/icon.svg',
  },
  accepted: {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: '1000',
    asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    payTo: '0x0000000000000000000000000000000000000001',
    maxTimeoutSeconds: 60,
    extra: { name: 'USD Coin', version: '2' },
  },
  payload: { signature: '0x00', authorization: {} },
  extensions: { any: { info: {} } },
})

const paths = Object.entries(good()).flatMap(([name, member]) => [
  [name],
  ...(typeof member === 'object' ? Object.keys(member).map((inner) => [name, inner]) : []),
])
const texts = fc.constantFrom(
  '',
  'a',
  'base',
  'ab:',
  '::',
  'x'.repeat(32),
  'x'.repeat(33),
  'x'.repeat(2_049),
  'ż',
)
const others = fc.constantFrom<unknown>(
  undefined,
  null,
  0,
  -1,
  1,
  true,
  [],
  {},
  ['a'],
  ['a', 1],
  [''],
  Array(6).fill('a'),
)
const change = fc.tuple(fc.constantFrom(...paths, ['more'], ['resource', 'more']), fc.oneof(texts, others))

function changed(changes: readonly (readonly [readonly string[], unknown])[]): Json {
  const json: Json = good()
  for (const [path, value] of changes) {
    const [outer = '', inner] = path
    const member = json[outer]
    if (inner === undefined) json[outer] = value
    else if (typeof member === 'object' && member !== null) (member as Json)[inner] = value
  }
  return json
}

it('takes what the schema of the packages takes, and nothing else', () => {
  const outcomes = { taken: 0, refused: 0 }
  fc.assert(
    fc.property(fc.array(change, { maxLength: 3 }), (changes) => {
      const expected = PaymentPayloadV2Schema.safeParse(changed(changes)).success
      const { success, data } = PAYLOAD_V2.safeParse(changed(changes))
      expect(success && isNetwork(data.accepted.network)).toBe(expected)
      outcomes[expected ? 'taken' : 'refused'] += 1
    }),
    { numRuns: 5_000 },
  )
  expect(Math.min(outcomes.taken, outcomes.refused)).toBeGreaterThan(500)
})
