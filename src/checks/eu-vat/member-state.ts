import type { HintOf } from '../profile.ts'
import type { EU_VAT } from './profile.ts'

/** An old or domestic form of a number: its shape after the prefix, and whether its digits fit. */
export interface LegacyForm {
  readonly hint: HintOf<typeof EU_VAT>
  readonly shape: RegExp
  readonly fits?: (national: string) => boolean
}

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
  readonly legacy?: readonly LegacyForm[]
}

/** Names the old or domestic form of a national part that matches no format. */
export function legacyHint({ legacy = [] }: MemberState, national: string): LegacyForm['hint'] | undefined {
  return legacy.find(({ shape, fits }) => shape.test(national) && fits?.(national) !== false)?.hint
}
