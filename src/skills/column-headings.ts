import type { CheckType } from '../checks/verdict.ts'

/** Headings beside the type's own name under which lists have its values, in lower-case letters. */
const HEADINGS: Readonly<Partial<Record<CheckType, readonly string[]>>> = {
  iban: ['account', 'konto', 'rachunek'],
  'eu-vat': ['vat', 'vatid', 'vatno', 'vatnumber', 'ustid', 'nipue'],
  'pl-nip': ['nip', 'taxid'],
  'pl-regon': ['regon'],
  'pl-pesel': ['pesel'],
  email: ['mail', 'emailaddress'],
}

/** Returns the headings of columns with values of a type, the letters of its id first. */
export const headingsOf = (type: CheckType): readonly string[] => [lettersOf(type), ...(HEADINGS[type] ?? [])]

/** A heading as it is compared: its letters in lower case. */
export const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')
