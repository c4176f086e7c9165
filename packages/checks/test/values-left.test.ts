/** How many numbers fit what one result tells, at least: counted over all that is not masked, and over the check digits. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { vectors } from '../../../test/support/vectors.ts'
import { weightedSum } from '../src/arithmetic/weighted-sum.ts'
import { CHECKS } from '../src/checks.ts'
import { MEMBER_STATES } from '../src/eu-vat/member-states.ts'
import { BANK_LISTS } from '../src/iban/bank-lists.ts'
import { ibanCountry } from '../src/iban/countries.ts'
import { norwegianCheck } from '../src/iban/national/norwegian-mod11.ts'

interface Accounts {
  readonly countries: readonly string[]
  /** The least number of significant digits of accounts that the country still issues. */
  readonly digits: number
  readonly rule: keyof typeof RULES
  readonly source: string
}

/** A rule that reads digits from the left: the next state, and whether a number may end in it. */
interface Rule {
  readonly next: (state: number, digit: number, place: number, length: number) => number
  readonly ends: (state: number) => boolean
}

const CARRY = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5]
const OUT = 10

const weighted = (weights: readonly number[], ends: Rule['ends']): Rule => ({
  next: (state, digit, place) => (state + digit * (weights[place] ?? 0)) % 11,
  ends,
})

const RULES = {
  none: { next: () => 0, ends: () => true },
  mod11: weighted([6, 3, 7, 9, 10, 5, 8, 4, 2, 1], (state) => state === 0),
  'mod10-recursive': {
    next: (carry, digit, place, length) =>
      place === length - 1 ? ((10 - carry) % 10 === digit ? 0 : OUT) : (CARRY[(carry + digit) % 10] ?? OUT),
    ends: (state) => state !== OUT,
  },
} as const satisfies Readonly<Record<string, Rule>>

/** The least count over all endings that a mask shows, of the numbers that begin with one of the prefixes. */
function leastLeft(length: number, shown: number, { next, ends }: Rule, prefixes: readonly string[] = ['']) {
  const read = (state: number, digits: string, from: number) =>
    [...digits].reduce((at, digit, place) => next(at, Number(digit), from + place, length), state)
  let states = new Map<number, number>()
  const add = (to: Map<number, number>, state: number, count: number) =>
    to.set(state, (to.get(state) ?? 0) + count)
  for (const prefix of prefixes) add(states, read(0, prefix, 0), 1)
  for (let place = prefixes[0]!.length; place < length - shown; place++) {
    const after = new Map<number, number>()
    for (const [state, count] of states)
      for (let digit = 0; digit < 10; digit++) add(after, next(state, digit, place, length), count)
    states = after
  }
  const endings = Array.from({ length: 10 ** shown }, (_, at) => String(at).padStart(shown, '0'))
  const counts = endings.map((ending) =>
    [...states].reduce(
      (sum, [state, count]) => sum + (ends(read(state, ending, length - shown)) ? count : 0),
      0,
    ),
  )
  return Math.min(...counts.filter((count) => count > 0))
}

const ACCOUNTS: readonly Accounts[] = JSON.parse(
  readFileSync(new URL('../../../test/vectors/iban-account-digits.json', import.meta.url), 'utf8'),
)
const leastAccounts = ({ countries, digits, rule }: Accounts) =>
  leastLeft(digits, Math.max(...countries.map((country) => ibanCountry(country)!.shown)), RULES[rule])

test('counts as one does by hand', () => {
  expect(leastLeft(3, 1, RULES.none)).toBe(100)
  const all = Array.from({ length: 10_000 }, (_, at) => String(at).padStart(4, '0'))
  const rule = weighted([4, 3, 2, 1], (state) => state === 0)
  const fits = (each: string, ending: string) =>
    each.endsWith(ending) && weightedSum(each, [4, 3, 2, 1]) % 11 === 0
  const counts = Array.from(
    { length: 10 },
    (_, ending) => all.filter((each) => fits(each, String(ending))).length,
  )
  expect(leastLeft(4, 1, rule)).toBe(Math.min(...counts))
})

test('a result that may name the bank leaves at least 100,000 accounts', () => {
  const counted = ACCOUNTS.flatMap((row) => row.countries)
  expect(counted.toSorted()).toEqual(Object.keys(BANK_LISTS).toSorted())
  for (const row of ACCOUNTS)
    expect([row.countries, leastAccounts(row) >= 100_000]).toEqual([row.countries, true])
  // With four characters shown, it would not.
  for (const { countries, digits, rule } of ACCOUNTS.filter(({ countries }) => !countries.includes('PL')))
    expect([countries, leastLeft(digits, 4, RULES[rule]) < 100_000]).toEqual([countries, true])
})

test('the mask depends on the country alone, and is as long as the number', () => {
  for (const { value } of [...vectors('iban'), ...vectors('iban-registry')]) {
    const { normalized, details } = CHECKS.iban(value)
    if (normalized === null) continue
    const country = ibanCountry(details.country as string)!
    expect(normalized).toMatch(
      new RegExp(`^${country.code}\u2022{${country.length - 2 - country.shown}}[0-9A-Z]{${country.shown}}$`),
    )
    expect(country.shown === 2).toBe(country.code in BANK_LISTS && country.code !== 'PL')
  }
})

/** Of the rarest outcome, "not_checked": a bank of zeros, or an account of the type 00. */
function leastNorwegian(): number {
  const heads = Array.from({ length: 100_000 }, (_, at) => {
    const digits = String(at).padStart(5, '0')
    return `${digits.slice(0, 4)}00${digits.slice(4)}`
  })
  const others = Array.from({ length: 1_000 }, (_, at) => `0000${String(at).padStart(3, '0')}`)
  const all = [...new Set([...heads, ...others])]
  const endings = ['0000', '1234', '7947', '9999', '5550']
  return Math.min(
    ...endings.map((ending) => all.filter((head) => norwegianCheck(head + ending) === 'not_checked').length),
  )
}

function leastOf(prefix: string, length: number, shown: number): number {
  const { passes } = MEMBER_STATES.get(prefix)!.national
  const counts = new Map<string, number>()
  for (let at = 0; at < 10 ** length; at++) {
    const national = String(at).padStart(length, '0')
    const ending = national.slice(length - shown)
    if (passes(national)) counts.set(ending, (counts.get(ending) ?? 0) + 1)
  }
  return Math.min(...counts.values())
}

const NIP = weighted([6, 5, 7, 2, 3, 4, 5, 6, 7, -1 + 11], (state) => state === 0)
/** That 10 as a remainder counts as the digit 0 adds to the endings with a 0. */
const REGON = weighted([8, 9, 2, 3, 4, 5, 6, 7, 10], (state) => state === 0)
/** Three digits that name no tax office, which the result tells. */
const NO_OFFICE = Array.from({ length: 9 }, (_, at) => `${at + 1}00`)

test.each([
  ['an IBAN of AT, CH, CZ, DE, LI, PL or SK', Math.min(...ACCOUNTS.map(leastAccounts))],
  ['an IBAN of another country', leastNorwegian()],
  ['a VAT number of Romania with two digits', leastOf('RO', 2, 0)],
  ['a VAT number of Luxembourg', leastOf('LU', 8, 2)],
  ['a NIP', leastLeft(10, 2, NIP, NO_OFFICE)],
  ['a REGON', leastLeft(9, 2, REGON)],
  // Four digits of a serial number, whose last one has the parity of the sex; the check digit follows.
  ['a PESEL', 1_000 * 5],
])('docs/privacy.md says how many values the result of %s leaves', (of, count) => {
  const page = readFileSync(new URL('../../../docs/privacy.md', import.meta.url), 'utf8')
  expect(page).toContain(`| ${of} | ${count.toLocaleString('en-US')} |`)
})
