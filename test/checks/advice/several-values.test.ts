import { expect, test } from 'vitest'
import { CHECKS, PROFILES } from '../../../src/checks/checks.ts'
import { CHECK_TYPES } from '../../../src/checks/verdict.ts'
import { mutate, validValue } from '../../support/identifiers.ts'
import { compactOf, followHints } from '../../support/mend.ts'
import { SeededRandom } from '../../support/seeded-random.ts'
import { vectorFiles, vectors } from '../../support/vectors.ts'

const BETWEEN = [
  ', ',
  ';',
  ' / ',
  ' ',
  '\n',
  ' en ',
  ' and ',
  ' oraz ',
  ' | ',
  '\t',
  ' + ',
  '/',
  ' - ',
  '; alt: ',
]
const NUMBERS = CHECK_TYPES.filter((type) => PROFILES[type].outline.kind !== 'text')

test.each(NUMBERS)('%s: two numbers in one value are called so, and no hint leads to either', (type) => {
  const random = new SeededRandom(20261127)
  const [name = ''] = PROFILES[type].labels.names
  const label = () => random.pick(['', '', `${name} `, `${name}: `])
  for (let seed = 0; seed < 2_000; seed++) {
    const [one, other] = [validValue(type, seed), validValue(type, seed + 100_000)]
    // The signs of old Irish numbers are cut off by no rule.
    if (one === other || /[+*]/.test(one + other)) continue
    const value = label() + one + random.pick(BETWEEN) + label() + other
    const { valid, details } = CHECKS[type](value)
    expect({ value, valid, hint: details.hint }).toEqual({ value, valid: false, hint: 'several_values' })
    expect(followHints(type, value)).toBe(value)
  }
})

/** Made-up numbers with letters have random ones where banks have codes, which no longer look like a number. */
test.each(
  NUMBERS.filter((type) => PROFILES[type].outline.kind === 'digits'),
)('%s: of two numbers of which one is mistyped, no hint leads to the other', (type) => {
  const random = new SeededRandom(20261128)
  for (let seed = 0; seed < 2_000; seed++) {
    const wrong = mutate(validValue(type, seed), random)
    if (CHECKS[type](wrong).valid) continue
    const pair = [wrong, validValue(type, seed + 100_000)]
    const value = (random.int(2) === 0 ? pair : pair.toReversed()).join(random.pick(BETWEEN))
    const mended = followHints(type, value)
    expect({ value, mended, valid: CHECKS[type](mended).valid }).toEqual({ value, mended, valid: false })
  }
})

/** Shorter ones, such as RO12, may be any word beside a number. */
const LONG = 10

test.each(
  NUMBERS.filter((type) => PROFILES[type].outline.kind !== 'digits'),
)('%s: of two published numbers of which one is mistyped, a hint leads to the other less than once in 500', (type) => {
  const random = new SeededRandom(20261129)
  const written = vectorFiles(type).flatMap((name) => vectors(name).filter(({ valid }) => valid))
  const compact = written.map(({ value }) => value.replace(/[ .-]/g, ''))
  const models = compact.filter((value) => /^[A-Z][0-9A-Z]+$/.test(value) && value.length >= LONG)
  let [pairs, led] = [0, 0]
  for (let seed = 0; seed < 4_000; seed++) {
    const [meant, other] = [random.pick(models), random.pick(models)]
    const wrong = mutate(meant, random)
    if (CHECKS[type](wrong).valid || meant === other) continue
    const pair = random.int(2) === 0 ? [wrong, other] : [other, wrong]
    const value = pair.join(random.pick(BETWEEN))
    const { valid } = CHECKS[type](value)
    if (!valid) pairs++
    if (!valid && compactOf(type, followHints(type, value)) === other) led++
  }
  expect(pairs).toBeGreaterThan(1_000)
  expect(led / pairs).toBeLessThan(0.002)
})

test.each([
  ['iban', 'NL91ABNA0417164301, NL27INGB0000026500'],
  ['iban', 'DE89 3704 0044 0532 0130 00 / DE88 5007 0010 0175 5263 04'],
  ['iban', 'PT50000201231234567890154 e 7RU0 3044 5252 2540 8178 1053 8091 3104 19'],
  ['iban', 'DE:9 3704 0044 0532 0130 00, LI21 0881 0000 2324 013A A'],
  ['iban', 'K8Z6125KZT5004100100/IQ98NBIQ850123456789012'],
  ['eu-vat', 'DK4182801 - DK71369528'],
  ['eu-vat', 'BG9999999999 y SE123@56789000'],
  ['email', 'jan.ymail.com en anna@vp.pl'],
  ['email', 'anna@vp.pl (janFgmail.com)'],
  ['eu-vat', 'DE13669597, ATU13585627'],
  ['eu-vat', 'CZ25123891, SK202274961'],
] as const)('%s: %s holds a mistyped number beside a whole one', (type, value) => {
  expect(CHECKS[type](value).details.hint).toBe('several_values')
  expect(followHints(type, value)).toBe(value)
})

test.each([
  ['www.firma.pl, jan@firma.pl'],
  ['Firma, www.example.com, jan@firma.pl'],
  ['jan@firma.pl (https://example.com)'],
  ['jan@firma.pl | firma.pl'],
])('an address beside a web address is known: %s', (value) => {
  expect(followHints('email', value)).toBe('jan@firma.pl')
})

test('an address twice is one address', () => {
  expect(followHints('email', 'jan@firma.pl <mailto:jan@firma.pl>')).toBe('jan@firma.pl')
})
