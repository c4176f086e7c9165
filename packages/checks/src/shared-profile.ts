/** What the profiles of several checks share: codes, hints and facts, each with its words. */
import type { ProvedSpan } from './advice/proof.ts'
import type { Hint, Schema } from './profile.ts'
import { type CharacterClass, CLASS_NAMES } from './text/character-class.ts'

export const COMMON_CODES = {
  ok: 'the value is valid',
  empty: 'nothing is left after trimming',
  label_prefix: 'a label such as "IBAN:" stands in front',
} as const

export const NUMBER_CODES = {
  ...COMMON_CODES,
  invalid_character:
    'a character that has no place in the number; `position` and `characterClass` say where and of what kind',
} as const
export const LENGTH_CODE = 'wrong number of characters; `length` gives expected and actual'
export const ALL_ZERO_CODE = 'all digits are zero'
export const CHECKSUM_CODE = 'the check digit does not fit'
export const CHECKSUM_IMPOSSIBLE_CODE = 'the digits before it allow no check digit at all'

export const COMMON_HINTS = {
  confusable_character: {
    words:
      'A character looks like the right one but is another (the letter O for the digit 0, a small b for 6, g or q for 9, a Cyrillic letter for a Latin one, a dash for a hyphen). Replace it with its look-alike.',
    mend: 'put_lookalike',
  },
  masked_value:
    'The value is masked: characters are hidden behind bullets or asterisks. Send the original value.',
  not_a_value:
    'No identifier: a number has digits, an address an at sign or a dot. Words such as "n/a" or a dash mean that there is none; leave it out or ask for it.',
  remove_character: {
    words: 'A character does not belong to the value. Remove it; others like it may follow.',
    mend: 'remove',
  },
  remove_text_behind: {
    words:
      'The value is whole, and text such as a currency, a BIC, a name or ".0" follows it. Send the value alone.',
    mend: 'cut_behind',
  },
  remove_label: {
    words:
      'The value starts with the name of a field, such as "IBAN:", or with other words. Send what follows them.',
    mend: 'cut_label',
  },
  several_values: 'The value holds more than one identifier. Send each in a call of its own.',
  use_ascii_digits: {
    words: 'The digits are of another script or style. Type them as 0 to 9.',
    mend: 'put_ascii_digit',
  },
} as const satisfies Readonly<Record<string, Hint>>

export const NUMBER_HINTS = {
  ...COMMON_HINTS,
  other_number:
    'What stands in front, or its form, names another number; the reason says which. Ask for the right one.',
  remove_entities: {
    words: 'The value holds signs as HTML writes them, such as "&nbsp;". Remove them.',
    mend: ['&(?:nbsp|thinsp|#160|#xa0|#8239|#8203|[lg]t|quot|amp);', ''],
  },
  scientific_notation: {
    words:
      'A program shows the number as a power of ten. With exactly one digit more than the exponent says, all are there; otherwise some are lost. Store it as text and send its digits alone.',
    mend: 'put_digits',
  },
} as const satisfies Readonly<Record<string, Hint>>

export const EXTRA_CHARACTER =
  'A character may have been typed twice: the value fits without one of the two. Compare it with the source.'
export const PREFIX_TWICE = 'The country prefix is written twice. Remove the first one.'
export const FRENCH_SIREN =
  'This looks like a SIREN, the number of a French company. Its VAT number has FR and a key of two characters in front.'
export const FRENCH_SIRET =
  'This is the number of a French establishment (SIRET). Ask for the VAT number: FR, a key of two characters and the first nine of these digits.'
export const KSEF_NUMBER =
  'This is the number of an invoice in KSeF. Its first ten digits are the NIP of the seller; the VAT number has PL in front of them.'
export const ROMANIAN_CNP =
  'This looks like a Romanian personal number (CNP) of thirteen digits. A Romanian VAT number has two to ten digits.'
export const LEADING_ZERO_LOST =
  'The number would fit with zeros in front, which spreadsheets drop. Compare with the source, put the zeros back if it has them, and store the number as text.'
export const PLACEHOLDER_VALUE = 'A number of zeros is a placeholder. Ask for the real number.'
export const NATIONAL_CHECK_FAILED =
  "The country's own check digits inside the number do not fit. They do not decide; compare the number with the source."
export const OFFICE_PREFIX_UNASSIGNED =
  'The first three digits name no tax office. The e-invoicing schemas of the Ministry of Finance (JPK, KSeF) refuse such a NIP.'

export const MAY_BE_PESEL = 'The number fits as a PESEL. Ask which number is meant.'

/** Facts of `details`; `title` is what people call one whose name says it badly. */
export const textFact = (description: string, pattern?: string) =>
  ({ type: 'string', description, ...(pattern && { pattern }) }) as const
export const flagFact = (description: string, title?: string) =>
  ({ type: 'boolean', description, ...(title && { title }) }) as const
export const countFact = (description: string, minimum = 0) =>
  ({ type: 'integer', minimum, description }) as const
export const choiceFact = <const V extends readonly string[]>(values: V, description?: string) =>
  ({ enum: values, ...(description && { description }) }) as const

export const ONE_LENGTH = { type: 'integer' } as const
export const INTEGERS = { items: ONE_LENGTH } as const
export const SOME_LENGTHS = { anyOf: [ONE_LENGTH, INTEGERS] } as const

/** The right length, or the right lengths, and that of the value. */
export const lengthFact = <const E extends Schema>(expected: E, description: string) =>
  ({ properties: { expected: { ...expected, description }, actual: ONE_LENGTH } }) as const

export const COMMON_FACTS = {
  position: {
    ...countFact('Index of the character at fault in the value as sent, in code points from 0.'),
    title: 'Offset from 0',
  },
  span: {
    properties: { start: { type: 'integer', minimum: 0 }, end: { type: 'integer', minimum: 1 } },
    description:
      'Where the identifier stands if what is around it is to be left out, in code points of the value as sent; end is exclusive.',
  },
  characterClass: choiceFact(
    Object.keys(CLASS_NAMES) as readonly CharacterClass[],
    'Kind of the offending character.',
  ),
} as const

export const NUMBER_FACTS = {
  ...COMMON_FACTS,
  suspects: {
    items: { type: 'integer', minimum: 0 },
    maxItems: 5,
    description:
      'Positions of characters that may be one too many, in code points of the value as sent. Empty when the check digits fit by more than one change: then compare with the source.',
  },
} as const

export const COUNTRY_FACTS = {
  country: textFact('Two letters as in the number.', '^[A-Z]{2}$'),
  countryName: { ...textFact('English name of the country.'), title: 'Country' },
} as const

/** What is found in any number by the files that all of them share. */
export interface NumberFailure<C extends keyof typeof NUMBER_CODES = 'invalid_character' | 'label_prefix'> {
  readonly code: C
  readonly reason?: string
  readonly hint?: keyof typeof NUMBER_HINTS | undefined
  readonly position?: number | undefined
  readonly characterClass?: CharacterClass | undefined
  readonly span?: ProvedSpan | undefined
}
