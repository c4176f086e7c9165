/**
 * The outcome of a country's own check digits: "not_applicable" if it has none, "not_checked" if no rule is known that
 * holds for every account.
 */
export type NationalOutcome = 'passed' | 'failed' | 'not_checked' | 'not_applicable'

/** Judges a structurally valid, upper-case BBAN (the IBAN after its first four characters). */
export type NationalBbanCheck = (bban: string) => NationalOutcome

export const passedIf = (fits: boolean): NationalOutcome => (fits ? 'passed' : 'failed')
