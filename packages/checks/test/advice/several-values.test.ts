import { expect, test } from 'vitest'
import { mutate, validValue } from '../../../../test/support/identifiers.ts'
import { compactOf, followHints } from '../../../../test/support/mend.ts'
import { SeededRandom } from '../../../../test/support/seeded-random.ts'
import { vectorFiles, vectors } from '../../../../test/support/vectors.ts'
import { numbersIn } from '../../src/advice/parts.ts'
import { CHECKS } from '../../src/checks.ts'
import { PROFILES } from '../../src/light-checks.ts'
import { CHECK_TYPES, type CheckType } from '../../src/verdict.ts'

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

test.each(NUMBERS)('%s: so are two numbers that are written together', (type) => {
  for (let seed = 0; seed < 500; seed++) {
    const value = validValue(type, seed) + validValue(type, seed + 100_000)
    const { hint } = CHECKS[type](value).details
    if (!/[+*]/.test(value)) expect({ value, hint }).toEqual({ value, hint: 'several_values' })
  }
})

test.each([
  ['pl-nip', '5863263873'],
  ['pl-pesel', '09111651348'],
  ['iban', 'DE89370400440532013001'],
  ['eu-vat', 'PL8425140041'],
] as const)('%s: a refused word is judged once more, and no part of it', (type, word) => {
  const judged: string[] = []
  const fits = (text: string) => judged.push(text) === 0
  expect(numbersIn(word, { rule: '', profile: PROFILES[type], fits })).toEqual([])
  expect(judged).toEqual([word])
})

/** Refused values that hold a whole identifier beside a mistyped one, with what following hints leads to. */
function mistypedPairs(
  type: CheckType,
  models: (seed: number) => readonly [string, string],
  drawn = 20261128,
  count = 8_000,
) {
  const random = new SeededRandom(drawn)
  return Array.from({ length: count }, (_, seed) => seed).flatMap((seed) => {
    const [meant, other] = models(seed)
    const wrong = mutate(meant, random)
    const value = (random.int(2) === 0 ? [wrong, other] : [other, wrong]).join(random.pick(BETWEEN))
    if (meant === other || CHECKS[type](wrong).valid || CHECKS[type](value).valid) return []
    return [{ value, other, mended: followHints(type, value) }]
  })
}

test.each(
  NUMBERS.filter((type) => PROFILES[type].outline.kind === 'digits'),
)('%s: of two numbers of which one is mistyped, no hint leads to the other', (type) => {
  for (const { value, mended } of mistypedPairs(type, (seed) => madeUp(type, seed)))
    expect({ value, mended, valid: CHECKS[type](mended).valid }).toEqual({ value, mended, valid: false })
})

const madeUp = (type: CheckType, seed: number) =>
  [validValue(type, seed), validValue(type, seed + 100_000)] as const

/** The first is that of the tests above. */
const DRAWS = [
  { drawn: 20261128, count: 8_000 },
  { drawn: 31_415_926, count: 3_000 },
  { drawn: 27_182_818, count: 3_000 },
  { drawn: 14_142_135, count: 3_000 },
]

/** Of the vectors; top-level domains of one letter, or with a digit, are not in use. */
function published(type: CheckType, drawn: number): () => readonly [string, string] {
  const random = new SeededRandom(drawn + 1)
  const written = vectorFiles(type).flatMap((name) => vectors(name).filter(({ valid }) => valid))
  const models = written
    .map(({ value }) => (type === 'email' ? value.trim() : value.replace(/[ .-]/g, '')))
    .filter((value) => (type === 'email' ? /\.(?:[a-z]{2,}|xn--[a-z0-9]+)$/ : /^[0-9A-Z]+$/).test(value))
  return () => [random.pick(models), random.pick(models)]
}

test.each(
  (['iban', 'eu-vat', 'email'] as const).flatMap((type) =>
    // A blank in the place of an at sign leaves a word and a web address.
    DRAWS.slice(0, type === 'email' ? 1 : undefined).flatMap((draw, at) => [
      { type, source: 'made-up', models: (seed: number) => madeUp(type, seed + at * 300_000), ...draw },
      { type, source: 'published', models: published(type, draw.drawn), ...draw },
    ]),
  ),
)('$type, $drawn: beside a mistyped one, a hint leads to a $source value at most once in 1,000', ({
  type,
  models,
  drawn,
  count,
}) => {
  const pairs = mistypedPairs(type, models, drawn, count)
  const led = pairs.filter(({ other, mended }) => compactOf(type, mended) === compactOf(type, other))
  expect(pairs.length).toBeGreaterThan(400)
  expect(led.length).toBeLessThanOrEqual(pairs.length / 1_000)
})

test.each([
  ['iban', 'NL91ABNA0417164301, NL27INGB0000026500'],
  ['iban', 'DE89 3704 0044 0532 0130 00 / DE88 5007 0010 0175 5263 04'],
  ['iban', 'PT50000201231234567890154 e 7RU0 3044 5252 2540 8178 1053 8091 3104 19'],
  ['iban', 'DE:9 3704 0044 0532 0130 00, LI21 0881 0000 2324 013A A'],
  ['iban', 'K8Z6125KZT5004100100/IQ98NBIQ850123456789012'],
  ['eu-vat', 'DK4182801 - DK71369528'],
  ['eu-vat', 'BG9999999999 y SE123@56789000'],
  ['iban', 'B1H4KEFYSDX1ETEKTRIPOB, CR78421205209585118492'],
  ['iban', '6715368LIN1BXCAAYHP oraz DE88500700100175526303'],
  ['eu-vat', 'EL094259216/ROO12'],
  ['eu-vat', 'XIHA50; DE136695976'],
  ['email', 'jan.ymail.com en anna@vp.pl'],
  ['email', 'aTb.co, anna@b.co'],
  ['email', 'OCE.xn--p1ai; anna@vp.pl'],
  ['email', 'anna@vp.pl (janFgmail.com)'],
  ['eu-vat', 'DE13669597, ATU13585627'],
  ['eu-vat', 'CZ25123891, SK202274961'],
  ['eu-vat', 'NL 00099998B57;ESX1234567L'],
  ['eu-vat', 'BE1000003682 | FI 0774740'],
  ['eu-vat', 'FRIO:23456789 en ESA28184661'],
  ['eu-vat', 'XIGD_01 + PL5260250274'],
  ['eu-vat', 'BG9999999999 / B 1000003682'],
  ['iban', 'BH72TWB-BKC6M5K3DUXWRI\tSA7792HD9836JFT8NU87UOC6'],
] as const)('%s: %s holds a mistyped number beside a whole one', (type, value) => {
  expect(CHECKS[type](value).details.hint).toBe('several_values')
  expect(followHints(type, value)).toBe(value)
})

test.each([
  ['FR40303265045 SIREN 303265045', 'FR40303265045'],
  ['PL5260250274 ul. Prosta 51, 00-838 Warszawa', 'PL5260250274'],
  ['FR40303265045, FR 75001 Paris', 'FR40303265045'],
  ['DE136695976 HRB 12345 B', 'DE136695976'],
])('eu-vat: what stands beside the number in %s is no other one', (value, number) => {
  expect(followHints('eu-vat', value)).toBe(number)
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
