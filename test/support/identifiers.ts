/**
 * Makes valid and invalid identifiers of every type, deterministically: the same seed gives the same values.
 *
 * Where a rule has more than a checksum it is written down a second time here, in the slow and obvious way, so that its
 * check is tested against something else than itself. Any other type starts from its vectors, which have their source.
 */
import fc from 'fast-check'
import { CHECKS } from 'format-checker-checks/internal/checks'
import type { CheckType } from 'format-checker-checks/verdict'
import { MEMBER_STATES } from '../../packages/checks/src/eu-vat/member-states.ts'
import { IBAN_REGISTRY } from '../../packages/checks/src/iban/registry.ts'
import { SeededRandom } from './seeded-random.ts'
import { compactVectors } from './vectors.ts'

const DIGITS = '0123456789'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const SIGNS: Readonly<Record<string, string>> = { n: DIGITS, a: LETTERS, c: DIGITS + LETTERS }
const VAT_SIGNS: Readonly<Record<string, string>> = {
  '9': DIGITS,
  L: LETTERS,
  X: DIGITS + LETTERS,
  S: `${DIGITS}${LETTERS}+*`,
}
const NIP_WEIGHTS = [6, 5, 7, 2, 3, 4, 5, 6, 7]
const REGON_9_WEIGHTS = [8, 9, 2, 3, 4, 5, 6, 7]
const REGON_14_WEIGHTS = [2, 4, 8, 5, 0, 9, 7, 3, 6, 1, 2, 4, 8]
const PESEL_WEIGHTS = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]
const ATEXT = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~"
const LABEL = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** A valid IBAN of the given country, or of any. */
export function validIban(country?: string, seed = 1): string {
  const random = new SeededRandom(seed)
  const row =
    country === undefined ? random.pick(IBAN_REGISTRY) : IBAN_REGISTRY.find(([code]) => code === country)
  if (row === undefined) throw new Error('no such country')
  const [code, , structure] = row
  const bban = [...structure.matchAll(/(\d+)!([nac])/g)]
    .map(([, count, sign]) => random.text(SIGNS[sign!]!, Number(count)))
    .join('')
  return code + ibanCheckDigits(code, bban) + bban
}

/** The check digits that ISO 7064 MOD 97-10 generates, by arbitrary-precision arithmetic. */
export function ibanCheckDigits(country: string, bban: string): string {
  const number = [...`${bban}${country}00`].map((sign) => String(Number.parseInt(sign, 36))).join('')
  return String(98n - (BigInt(number) % 97n)).padStart(2, '0')
}

/** A value with the structure of a VAT number of the given prefix, or of any; Polish ones are valid NIPs. */
export function validEuVat(prefix?: string, seed = 1): string {
  const random = new SeededRandom(seed)
  const state = MEMBER_STATES.get(prefix ?? random.pick([...MEMBER_STATES.keys()]))
  if (state === undefined) throw new Error('no such prefix')
  if (state.prefix === 'PL') return `PL${validNip(seed)}`
  const shape = [...random.pick(state.formats)]
  return (
    state.prefix + shape.map((sign) => (sign in VAT_SIGNS ? random.pick(VAT_SIGNS[sign]!) : sign)).join('')
  )
}

export function validNip(seed = 1): string {
  const random = new SeededRandom(seed)
  for (;;) {
    const digits = random.text(DIGITS, 9)
    const check = weighted(digits, NIP_WEIGHTS) % 11
    if (check < 10 && !/^0+$/.test(digits)) return digits + check
  }
}

/** A valid REGON of 9 or 14 digits. */
export function validRegon(seed = 1): string {
  const random = new SeededRandom(seed)
  const first = `${random.pick('123456789')}${random.text(DIGITS, 7)}`
  const nine = first + ((weighted(first, REGON_9_WEIGHTS) % 11) % 10)
  if (random.int(2) === 0) return nine
  const thirteen = nine + random.text(DIGITS, 4)
  return thirteen + ((weighted(thirteen, REGON_14_WEIGHTS) % 11) % 10)
}

export function validPesel(seed = 1): string {
  const random = new SeededRandom(seed)
  const century = random.pick([80, 0, 20, 40, 60])
  const date = [random.int(100), 1 + random.int(12) + century, 1 + random.int(28)]
  const digits = date.map((part) => String(part).padStart(2, '0')).join('') + random.text(DIGITS, 4)
  return digits + ((10 - (weighted(digits, PESEL_WEIGHTS) % 10)) % 10)
}

export function validEmail(seed = 1): string {
  const random = new SeededRandom(seed)
  const atoms = Array.from({ length: 1 + random.int(3) }, () => random.text(ATEXT, 1 + random.int(12)))
  const labels = Array.from({ length: 1 + random.int(3) }, () => emailLabel(random))
  return `${atoms.join('.')}@${labels.join('.')}.${random.pick(['pl', 'com', 'CO', 'xn--p1ai', 'museum'])}`
}

/** A valid value of any type; `seed` picks which. */
export function validValue(type: CheckType, seed = 1): string {
  return VALID[type]?.(seed) ?? likeVectors(type, seed)
}

/** Valid values of a type, in compact form, as a fast-check arbitrary. */
export function arbitraryValid(type: CheckType): fc.Arbitrary<string> {
  return fc.nat({ max: 0x7fffffff }).map((seed) => validValue(type, seed))
}

/** Values that the type's check rejects: a valid one with a foreign character inside, which no type allows. */
export function arbitraryInvalid(type: CheckType): fc.Arbitrary<string> {
  return fc
    .tuple(
      arbitraryValid(type),
      fc.nat(),
      fc.constantFrom('(', '"', ',', '\u200b', '\u0661', '\u0410', '\u0000', ';'),
    )
    .map(([value, at, foreign]) => {
      const cut = 1 + (at % (value.length - 1))
      return value.slice(0, cut) + foreign + value.slice(cut)
    })
}

/** Values of all sorts: noise, near misses and valid ones. */
export function arbitraryAny(type: CheckType): fc.Arbitrary<string> {
  return fc.oneof(
    arbitraryValid(type),
    arbitraryInvalid(type),
    arbitraryMutated(type),
    arbitraryValid(type).map((value) => `\r\n${value}\t\n`),
    ...NOISE,
  )
}

/** Made once: an arbitrary of all characters takes a tenth of a second to make. */
const NOISE = [
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 60 }),
  fc.stringMatching(/^[A-Z]{2}[0-9A-Z]{0,34}$/),
  fc.stringMatching(/^[0-9]{0,40}$/),
]

/** Valid values with one character replaced, dropped, doubled or swapped with its neighbour. */
export function arbitraryMutated(type: CheckType): fc.Arbitrary<string> {
  return fc
    .tuple(arbitraryValid(type), fc.nat({ max: 0x7fffffff }))
    .map(([value, seed]) => mutate(value, new SeededRandom(seed)))
}

const REPLACEMENTS = `${DIGITS}${LETTERS}abcxyz -./@+*_:`

/** One slip of the kind people make. */
export function mutate(value: string, random: SeededRandom): string {
  const at = random.int(Math.max(1, value.length))
  const [head, tail] = [value.slice(0, at), value.slice(at + 1)]
  const here = value.charAt(at)
  switch (random.int(5)) {
    case 0:
      return head + random.pick(REPLACEMENTS) + tail
    case 1:
      return head + tail
    case 2:
      return head + here + here + tail
    case 3:
      return head + tail.slice(0, 1) + here + tail.slice(1)
    default:
      return head + random.pick(REPLACEMENTS) + here + tail
  }
}

const VALID: Readonly<Partial<Record<CheckType, (seed: number) => string>>> = {
  iban: (seed) => validIban(undefined, seed),
  'eu-vat': (seed) => validEuVat(undefined, seed),
  'pl-nip': validNip,
  'pl-regon': validRegon,
  'pl-pesel': validPesel,
  email: validEmail,
}

/** How often random characters meet a checksum: modulo 97 once in 97 times, so that 2,000 tries hardly ever fail. */
const MOST_TRIES = 2_000

/** A valid vector of the type with each digit and letter drawn again, until the check takes it; else the vector. */
function likeVectors(type: CheckType, seed: number): string {
  const random = new SeededRandom(seed)
  const model = random.pick(compactVectors(type)).value
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const value = model.replace(/[0-9A-Z]/gi, (sign) => random.pick(/[0-9]/.test(sign) ? DIGITS : LETTERS))
    if (CHECKS[type](value).valid) return value
  }
  return model
}

function emailLabel(random: SeededRandom): string {
  const edge = random.pick(LABEL)
  return random.int(3) === 0
    ? `${edge}${random.text(`${LABEL}-`, random.int(20))}${random.pick(LABEL)}`
    : edge
}

function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0)
}
