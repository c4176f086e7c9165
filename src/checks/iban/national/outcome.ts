/** Outcome of a country's own check digits inside an account number. */

/**
 * "not_applicable" if the country has no such digits, "not_checked" if it has them but the rule depends on the bank or
 * the kind of account.
 */
export type NationalOutcome = 'passed' | 'failed' | 'not_checked' | 'not_applicable'

/** Judges a structurally valid, upper-case BBAN (the IBAN after its first four characters). */
export type NationalBbanCheck = (bban: string) => NationalOutcome

/** The outcome of a rule that every account of the country must satisfy. */
export const passedIf = (fits: boolean): NationalOutcome => (fits ? 'passed' : 'failed')
