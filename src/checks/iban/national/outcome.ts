/** Outcome of a country's own check digits inside an account number. */

/** "not_applicable" where a country has no such digits or some of its accounts go without. */
export type NationalOutcome = 'passed' | 'failed' | 'not_applicable'

/** Judges a structurally valid, upper-case BBAN (the IBAN after its first four characters). */
export type NationalBbanCheck = (bban: string) => NationalOutcome

/** The outcome of a rule that every account of the country has to satisfy. */
export const passedIf = (fits: boolean): NationalOutcome => (fits ? 'passed' : 'failed')
