/**
 * Addresses with a sign in place of, before or behind a character, and what the hints make of them.
 *
 * `METAMORPHIC_CASES` and `METAMORPHIC_SEED` in the environment set how many are drawn and from which seed; a nightly run draws
 * 200,000 of another seed.
 */
import { expect, test } from 'vitest'
import { checkedOf } from '../../../../src/lists/results.ts'
import { suggest } from '../../../../src/lists/suggest.ts'
import { validValue } from '../../../../test/support/identifiers.ts'
import { followHints } from '../../../../test/support/mend.ts'
import { SeededRandom } from '../../../../test/support/seeded-random.ts'
import { INVISIBLE_SIGNS, SIGNS } from '../../../../test/support/signs.ts'
import { CHECKS } from '../../src/checks.ts'
import { isTopLevelDomain } from '../../src/email/top-level-domains.ts'

const CASES = Number(process.env.METAMORPHIC_CASES ?? 6_000)
const SEED = Number(process.env.METAMORPHIC_SEED ?? 20261128)
const random = new SeededRandom(SEED)

const WRITTEN = [
  ...[
    'jan.kowalski@firma.pl',
    'biuro@example.com',
    'kontakt@sklep24.info',
    'x@mail.com.pl',
    'a.b-c_d@e-f.co.uk',
  ],
  ...[
    "o'neil@example.org",
    'e.mail@adres.pl',
    'mailto.x@wp.pl',
    'a@b.io',
    '1@2.net',
    'jan+x=y@sub.domena.com.pl',
  ],
]
const ADDRESSES = [
  ...WRITTEN,
  ...Array.from({ length: 489 }, () => validValue('email', 1 + random.int(1_000_000))),
]

const isValid = (value: string) => CHECKS.email(value).valid
/** What a program that follows hints, or a list, makes of a refused value. */
const followed = (value: string): readonly string[] => {
  const verdict = CHECKS.email(value)
  if (verdict.valid) return []
  const suggested = suggest(value, checkedOf(verdict), isValid)
  return [followHints('email', value), ...(suggested === null ? [] : [suggested])].filter(isValid)
}

const sameAddress = (one: string, other: string) => one.trim() === other.trim()

interface Drawn {
  readonly address: string
  readonly at: number
  readonly sign: string
}
const draw = (signs: readonly string[]): Drawn => {
  const address = random.pick(ADDRESSES)
  return { address, at: random.int(address.length), sign: random.pick(signs) }
}

/** In code points that stand for the sign, so that a failure can be read. */
const told = ({ address, at, sign }: Drawn, value: string, ends: string) =>
  `U+${sign.codePointAt(0)!.toString(16)} at ${at} of ${address}: ${value} -> ${ends}`

test('there are 1,400 signs', () => {
  expect(SIGNS.length).toBeGreaterThanOrEqual(1_400)
})

test('in place of a character: no other address is offered, but in front of a top-level domain that exists', () => {
  const astray: string[] = []
  for (let count = 0; count < CASES; count++) {
    const drawn = draw(SIGNS)
    const { address, at, sign } = drawn
    const value = address.slice(0, at) + sign + address.slice(at + 1)
    for (const end of followed(value)) {
      if (sameAddress(end, address)) continue
      const isEnd = at === address.length - 1 && address.startsWith(end)
      if (isEnd && isTopLevelDomain(end.slice(end.lastIndexOf('.') + 1))) continue
      astray.push(told(drawn, value, end))
    }
  }
  expect(astray).toEqual([])
})

test('before or behind a character: the address itself, or none', () => {
  const astray: string[] = []
  for (let count = 0; count < CASES; count++) {
    const drawn = draw(SIGNS)
    const { address, at, sign } = drawn
    const place = random.int(4) === 0 ? address.length : random.int(3) === 0 ? 0 : at
    const value = address.slice(0, place) + sign + address.slice(place)
    // Of an address that starts with the sign, Markdown around it cannot be told.
    if (place === address.length && address.startsWith(sign)) continue
    for (const end of followed(value)) if (!sameAddress(end, address)) astray.push(told(drawn, value, end))
  }
  expect(astray).toEqual([])
})

test('an invisible sign before, between or behind: the address itself comes back', () => {
  const astray: string[] = []
  for (let count = 0; count < CASES / 4; count++) {
    const drawn = draw(INVISIBLE_SIGNS)
    const { address, at, sign } = drawn
    const place = random.int(3) === 0 ? address.length : at
    const value = address.slice(0, place) + sign + address.slice(place)
    if (isValid(value)) continue
    const ends = followed(value)
    if (ends.length !== 2 || !ends.every((end) => sameAddress(end, address)))
      astray.push(told(drawn, value, ends.join(' ')))
  }
  expect(astray).toEqual([])
})

test('a refused address has a place or a hint', () => {
  const silent: string[] = []
  for (let count = 0; count < CASES / 4; count++) {
    const drawn = draw(SIGNS)
    const { address, at, sign } = drawn
    const value = address.slice(0, at) + sign + address.slice(at + 1)
    const { valid, details } = CHECKS.email(value)
    if (!valid && details.hint === undefined && details.position === undefined)
      silent.push(told(drawn, value, ''))
  }
  expect(silent).toEqual([])
})
