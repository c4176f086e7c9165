import type { HintOf } from '../profile.ts'
import type { EU_VAT } from './profile.ts'

export type LegacyHint = HintOf<typeof EU_VAT>

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
  /** Of Northern Ireland alone: the others are member states. */
  readonly euMember?: false
  /**
   * Shapes of the part after the prefix: 9 a digit, L a letter, X a letter or digit, S a letter, digit, + or *;
   * every other character stands for itself.
   */
  readonly formats: readonly string[]
  readonly national: NationalCheck
  /** Names the old or domestic form of a national part that matches no format; null for any other. */
  legacyHint?(national: string): LegacyHint | null
}
