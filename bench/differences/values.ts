/** Values to compare libraries with: valid ones, valid ones with slips, and noise; the same seed gives the same values. */
import { MEMBER_STATES } from '../../src/checks/eu-vat/member-states.ts'
import { ibanNationalCheck } from '../../src/checks/iban/national/national-check.ts'
import type { CheckType } from '../../src/checks/verdict.ts'
import { mutate, validEuVat, validIban, validValue } from '../../test/support/identifiers.ts'
import { SeededRandom } from '../../test/support/seeded-random.ts'
import { outlineOf } from '../../test/support/vectors.ts'

const SEEDS = 0x7fffffff
const DIGITS = '0123456789'
/** What stands in number fields by mistake, and what libraries drop or fold. */
const NOISE = `${DIGITS}${DIGITS}ABCDEFGHIJKLMNOPQRSTUVWXYZabcxyz -./+*_,:@\u00a0\u0661\uff11\ufb01\u200b`
/** Random fills that are tried for one that meets the country's own rule. */
const TRIES = 60

/** An endless series of values of a type. */
export function* valuesOf(type: CheckType, seed: number): Generator<string, never> {
  const random = new SeededRandom(seed)
  for (;;) yield oneOf(type, random)
}

function oneOf(type: CheckType, random: SeededRandom): string {
  const kind = random.int(10)
  if (kind < 4) return valid(type, random)
  if (kind < 5) return dressed(valid(type, random), random)
  if (kind < 8) return mutate(valid(type, random), random)
  if (kind < 9) return mutate(mutate(valid(type, random), random), random)
  return noise(type, random)
}

function valid(type: CheckType, random: SeededRandom): string {
  for (let left = TRIES; ; left--) {
    const value = ofType(type, random)
    if (left === 0 || meetsNationalRule(type, value)) return value
  }
}

function ofType(type: CheckType, random: SeededRandom): string {
  const seed = random.int(SEEDS)
  if (type === 'iban') return validIban(undefined, seed)
  return type === 'eu-vat' ? validEuVat(undefined, seed) : validValue(type, seed)
}

/** Half of the numbers need not meet their country's own rule. */
function meetsNationalRule(type: CheckType, value: string): boolean {
  if (value.charCodeAt(value.length - 1) % 2 === 0) return true
  if (type === 'iban') return ibanNationalCheck(value.slice(0, 2), value.slice(4)) !== 'failed'
  return type !== 'eu-vat' || MEMBER_STATES.get(value.slice(0, 2))!.national.passes(value.slice(2))
}

/** The value as people write it: grouped, in lower case, with spaces around. */
function dressed(value: string, random: SeededRandom): string {
  switch (random.int(4)) {
    case 0:
      return value.replace(/(.{4})(?=.)/g, `$1${random.pick(' -.\u00a0')}`)
    case 1:
      return value.toLowerCase()
    case 2:
      return ` ${value}\n`
    default:
      return `${value.slice(0, 3)}${random.pick(' -')}${value.slice(3)}`
  }
}

/** Digits of about the right length, digits behind two letters, or anything. */
function noise(type: CheckType, random: SeededRandom): string {
  const digits = random.text(DIGITS, 8 + random.int(8))
  const { kind } = outlineOf(type)
  if (kind === 'text') return `${random.text(NOISE, random.int(12))}@${random.text(NOISE, random.int(12))}`
  switch (random.int(3)) {
    case 0:
      return kind === 'digits' ? digits : random.text('ABCDEGILNPRSTUX', 2) + digits
    case 1:
      return '0'.repeat(random.int(16))
    default:
      return random.text(NOISE, random.int(24))
  }
}
