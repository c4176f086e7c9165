/** The IBAN registry compiled for the check: one frozen record per country, found by its two letters. */
import { DIGIT, LETTER } from '../char-kind.ts'
import { IBAN_REGISTRY, type RegistryRow, SEPA_PREFIXES } from './registry.ts'

/** A part of an IBAN, as 0-based offsets (end exclusive) into the caller's own compact IBAN. */
export interface IbanSegment {
  readonly name: 'bank' | 'branch' | 'account' | 'check'
  readonly start: number
  readonly end: number
}

export interface IbanCountry {
  readonly code: string
  readonly name: string
  /** Length of the whole IBAN. */
  readonly length: number
  /** BBAN structure in registry notation: n digits, a letters, c letters or digits. */
  readonly structure: string
  readonly sepa: boolean
  readonly segments: readonly IbanSegment[]
  /** The kinds of characters allowed at each offset of the whole IBAN, letters of either case, and END after the last. */
  readonly kinds: Uint16Array
}

/** Country code and check digits stand in front of the BBAN. */
export const HEAD = 4

/** No character is of no kind: marks the end of a structure. */
export const END = 0

/** All 89 countries of the registry, in its order. */
export const IBAN_COUNTRIES: readonly IbanCountry[] = IBAN_REGISTRY.map(compileRow)

const LETTER_A = 0x41
const BY_LETTERS: readonly (IbanCountry | undefined)[] = indexByLetters()

/** The country whose code consists of these two UTF-16 units, upper-case letters, if the registry has it. */
export function ibanCountry(first: number, second: number): IbanCountry | undefined {
  return BY_LETTERS[(first - LETTER_A) * 26 + second - LETTER_A]
}

function indexByLetters(): (IbanCountry | undefined)[] {
  const table = new Array<IbanCountry | undefined>(26 * 26).fill(undefined)
  for (const country of IBAN_COUNTRIES) {
    const { code } = country
    table[(code.charCodeAt(0) - LETTER_A) * 26 + code.charCodeAt(1) - LETTER_A] = country
  }
  return table
}

function compileRow([code, name, structure, bank, branch, check]: RegistryRow): IbanCountry {
  const kinds = compileStructure(structure)
  const length = kinds.length - 1
  return Object.freeze({
    code,
    name,
    length,
    structure,
    sepa: SEPA_PREFIXES.has(code),
    segments: compileSegments(length, bank, branch, check),
    kinds,
  })
}

function compileStructure(structure: string): Uint16Array {
  const kinds: number[] = [LETTER, LETTER, DIGIT, DIGIT]
  for (const [, count, letter] of structure.matchAll(/(\d+)!([nac])/g)) {
    const kind = letter === 'n' ? DIGIT : letter === 'a' ? LETTER : DIGIT | LETTER
    for (let left = Number(count); left > 0; left--) kinds.push(kind)
  }
  kinds.push(END)
  return Uint16Array.from(kinds)
}

/** Names every offset of the BBAN; what is neither bank, branch nor check digit is account. */
function compileSegments(
  length: number,
  bank: string,
  branch: string,
  check: string,
): readonly IbanSegment[] {
  const names = new Array<IbanSegment['name']>(length).fill('account')
  for (const [first, last] of ranges(bank)) names.fill('bank', first, last)
  for (const [first, last] of ranges(branch)) names.fill('branch', first, last)
  for (const [first, last] of ranges(check)) names.fill('check', first, last)
  const segments: IbanSegment[] = []
  for (let start = HEAD, end = HEAD + 1; start < length; end++) {
    if (end < length && names[end] === names[start]) continue
    segments.push(Object.freeze({ name: names[start]!, start, end }))
    start = end
  }
  return Object.freeze(segments)
}

/** Reads "1-4", "14" or "8,24" (1-based, inclusive, in the BBAN) as offsets into the IBAN. */
function ranges(positions: string): [number, number][] {
  if (positions === '') return []
  return positions.split(',').map((range) => {
    const [first, last = first] = range.split('-').map(Number)
    return [first! + HEAD - 1, last! + HEAD]
  })
}
