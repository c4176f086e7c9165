import type { LEGACY_HINTS } from './legacy-hints.ts'

/** An old or domestic form of a number: its shape after the prefix, and whether its digits fit. */
export interface LegacyForm {
  readonly hint: keyof typeof LEGACY_HINTS
  readonly shape: RegExp
  readonly fits?: (national: string) => boolean
}

export type Holder = 'person' | 'entity'

/** Numbers of company registers inside VAT numbers, as their states write them. */
export const REGISTER_NAMES = [
  ...(['CUI', 'EIK', 'KBO', 'NIP', 'OIB', 'SIREN', 'Y-tunnus'] as const),
  ...(['I\u010cO', 'organisationsnummer'] as const),
] as const
export type RegisterName = (typeof REGISTER_NAMES)[number]

/** The check digits of a state's tax administration, which are not part of the EU structure. */
export interface NationalCheck {
  /** For example "ISO 7064 MOD 11,10". */
  readonly algorithm: string
  /** `national` is the upper-case part after the prefix and already matches one of the state's formats. */
  passes(national: string): boolean
}

/**
 * One VAT prefix: an EU member state, or XI for Northern Ireland.
 *
 * Source of prefixes and formats: European Commission, VIES FAQ, Q11 "VAT identification number structure".
 */
export interface MemberState {
  /** Two letters as VIES writes them; Greece is EL. */
  readonly prefix: string
  readonly country: string
  readonly euMember?: false
  /**
   * Shapes of the part after the prefix: 9 a digit, L a letter, X a letter or digit, S a letter, digit, + or *;
   * every other character stands for itself.
   */
  readonly formats: readonly string[]
  readonly national: NationalCheck
  /** Whether the state's own rule gives a number that passes to a person or an entity; undefined if it may be either. */
  readonly holder?: (national: string) => Holder | undefined
  /** The register's number that a number that passes holds. */
  readonly register?: { readonly name: RegisterName; readonly holds?: (national: string) => boolean }
  readonly legacy?: readonly LegacyForm[]
}

export function legacyHint({ legacy = [] }: MemberState, national: string): LegacyForm['hint'] | undefined {
  return legacy.find(({ shape, fits }) => shape.test(national) && fits?.(national) !== false)?.hint
}
