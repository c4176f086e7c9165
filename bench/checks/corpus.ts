/** Values to measure with: what callers send, and what the peers understand too, so that all do the same work. */

import type { CheckType } from 'format-checker-checks/verdict'
import { MEMBER_STATES } from '../../packages/checks/src/eu-vat/member-states.ts'
import { validIban, validNip, validPesel, validValue } from '../../test/support/identifiers.ts'
import { SeededRandom } from '../../test/support/seeded-random.ts'

/** Values per type: too many for a branch predictor to learn by heart. */
const SIZE = 4_096
/** Every fourth value has a slip in one digit. */
const SLIP_EVERY = 4

export const refusedOf = (corpus: readonly string[]): readonly string[] =>
  corpus.filter((_, index) => index % SLIP_EVERY === SLIP_EVERY - 1)

/** Compact, upper-case values of a type, three valid ones and then one with a wrong digit. */
export function corpusOf(type: CheckType): readonly string[] {
  const random = new SeededRandom(7)
  return Array.from({ length: SIZE }, (_, index) => {
    const value = MAKERS[type]?.(index + 1, random) ?? validValue(type, index + 1)
    return flat(index % SLIP_EVERY === SLIP_EVERY - 1 ? slip(value, random) : value)
  })
}

/** Makers of what all peers understand, where that is less than the type allows. */
const MAKERS: Readonly<Partial<Record<CheckType, (seed: number, random: SeededRandom) => string>>> = {
  iban: (seed, random) => validIban(random.pick(IBAN_COUNTRIES), seed),
  'eu-vat': euVat,
  'pl-pesel': (seed) => birthDatedPesel(seed),
  email,
}

/** Countries whose structures all peers have alike. */
const IBAN_COUNTRIES =
  'AT BE BG CH CY CZ DE DK EE ES FI FR GR HR HU IT LT LU LV MT NL NO PL PT RO SE SI SK'.split(' ')

/** States whose numbers are all digits, with a national rule that random digits meet often enough. */
const VAT_STATES = 'AT BE DE DK EE EL FI HR HU LU MT PL PT SE SI'.split(' ')

/** Numbers that also meet the national check-digit rule, since some peers ask for that one. */
function euVat(_seed: number, random: SeededRandom): string {
  for (;;) {
    const state = MEMBER_STATES.get(random.pick(VAT_STATES))!
    if (state.prefix === 'PL') return `PL${validNip(1 + random.int(1e9))}`
    const shape = random.pick(state.formats)
    const national = shape.replaceAll('9', () => String(random.int(10)))
    if (/^[U0-9]+$/.test(national) && state.national.passes(national)) return state.prefix + national
  }
}

/** Births of the two centuries that all peers know. */
function birthDatedPesel(seed: number): string {
  for (let next = seed * 1_000; ; next++) {
    const pesel = validPesel(next)
    if (Number(pesel.slice(2, 4)) < 40) return pesel
  }
}

const WORDS = 'anna jan maria piotr info kontakt biuro sales accounts office hello noreply'.split(' ')
const HOSTS = 'example firma sklep-online mail poczta uni-koeln company department.agency'.split(' ')
const ENDS = 'com pl de org eu co.uk net'.split(' ')

function email(_seed: number, random: SeededRandom): string {
  const local = `${random.pick(WORDS)}${random.pick(['.', '_', ''])}${random.pick(WORDS)}${random.int(100)}`
  return `${local}@${random.pick(HOSTS)}.${random.pick(ENDS)}`
}

/** Changes one digit, or loses the at sign of an address. */
function slip(value: string, random: SeededRandom): string {
  if (value.includes('@')) return value.replace('@', random.pick(['.', '@@']))
  const digits = [...value].flatMap((sign, at) => (at > 1 && sign >= '0' && sign <= '9' ? [at] : []))
  const at = random.pick(digits)
  return value.slice(0, at) + ((Number(value[at]) + 1 + random.int(8)) % 10) + value.slice(at + 1)
}

/** As it comes out of `JSON.parse`: one flat string of its own. */
function flat(value: string): string {
  return JSON.parse(JSON.stringify(value)) as string
}
