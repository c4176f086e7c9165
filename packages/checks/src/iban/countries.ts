import { DIGIT, LETTER } from '../text/char-kind.ts'
import {
  EEA_BY_TERRITORY,
  EEA_PREFIXES,
  IBAN_REGISTRY,
  type RegistryRow,
  SEPA_BY_TERRITORY,
  SEPA_PREFIXES,
  TWO_SHOWN,
} from './registry.ts'

/** A part of a compact IBAN, by 0-based offsets; `end` is exclusive. */
export interface IbanSegment {
  readonly name: 'bank' | 'branch' | 'account' | 'check'
  readonly start: number
  readonly end: number
}

export interface IbanCountry {
  readonly code: string
  readonly name: string
  readonly length: number
  /** BBAN structure in registry notation: n digits, a letters, c letters or digits. */
  readonly structure: string
  readonly sepa: boolean
  /** Absent where some accounts with this code are outside the EEA. */
  readonly eea?: boolean
  /** Whether some accounts with this code are outside SEPA. */
  readonly sepaByTerritory: boolean
  readonly segments: readonly IbanSegment[]
  /** How many characters at the end of the account a result shows. */
  readonly shown: 2 | 4
  /** The kinds of characters allowed at each offset of the whole IBAN. */
  readonly kinds: Uint16Array
}

export const HEAD = 4

export const IBAN_COUNTRIES: readonly IbanCountry[] = IBAN_REGISTRY.map(compileRow)

const BY_CODE: ReadonlyMap<string, IbanCountry> = new Map(IBAN_COUNTRIES.map((each) => [each.code, each]))

export function ibanCountry(iban: string): IbanCountry | undefined {
  return BY_CODE.get(iban.slice(0, 2))
}

function compileRow([code, name, structure, bank, branch, check]: RegistryRow): IbanCountry {
  const kinds = compileStructure(structure)
  const { length } = kinds
  return Object.freeze({
    code,
    name,
    length,
    structure,
    sepa: SEPA_PREFIXES.has(code),
    ...(!EEA_BY_TERRITORY.has(code) && { eea: EEA_PREFIXES.has(code) }),
    sepaByTerritory: SEPA_BY_TERRITORY.has(code),
    segments: compileSegments(length, bank, branch, check),
    shown: TWO_SHOWN.has(code) ? 2 : 4,
    kinds,
  })
}

function compileStructure(structure: string): Uint16Array {
  const kinds: number[] = [LETTER, LETTER, DIGIT, DIGIT]
  for (const [, count, letter] of structure.matchAll(/(\d+)!([nac])/g)) {
    const kind = letter === 'n' ? DIGIT : letter === 'a' ? LETTER : DIGIT | LETTER
    for (let left = Number(count); left > 0; left--) kinds.push(kind)
  }
  return Uint16Array.from(kinds)
}

/** `positions` are those of bank, branch and check digits. */
function compileSegments(length: number, ...positions: readonly string[]): readonly IbanSegment[] {
  const names = new Array<IbanSegment['name']>(length).fill('account')
  for (const [at, name] of (['bank', 'branch', 'check'] as const).entries())
    for (const [first, last] of ranges(positions[at]!)) names.fill(name, first, last)
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
