import type { Target } from './target.ts'

/** What the paying clients order: a valid IBAN. */
export const IBAN_ORDER = { value: 'PL61109010140000071219812874' }

/** The address of the IBAN check over REST. */
export const restUrlOf = ({ origin }: Target): string => `${origin}/api/validate/iban`
