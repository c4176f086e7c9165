import type { Hint } from '../profile.ts'
import * as shared from '../shared-profile.ts'

export const LEGACY_HINTS = {
  austrian_without_u:
    'An Austrian VAT number has a U between the prefix AT and the eight digits. Compare the prefix with the source, then add the U.',
  belgian_nine_digits: {
    words: 'A Belgian VAT number of nine digits is the old form. Put a 0 in front of the digits.',
    mend: ['^(..)', '$010'],
  },
  dutch_without_leading_zeros:
    'A Dutch VAT number has nine digits before the B. It would fit with zeros in front: compare with the source.',
  dutch_without_suffix:
    'A Dutch VAT number ends with B and two digits. Ask for the btw-id; this looks like the RSIN or the older number.',
  french_siren_without_key: shared.FRENCH_SIREN,
  german_w_idnr:
    'This is a German Wirtschafts-Identifikationsnummer. The VAT number (USt-IdNr.) is a number of its own; without the five digits at the end this has its shape.',
  greek_eight_digits:
    'This may be the old form of a Greek VAT number, with eight digits. Compare with the source, then put a 0 in front of them.',
  hungarian_domestic_number: {
    words:
      'This is the Hungarian domestic tax number of eleven digits. Its first eight digits are the EU VAT number.',
    mend: ['^([^0-9]*(?:[0-9][^0-9]*){8}).*', '$1'],
  },
  leading_zero_lost: { words: shared.LEADING_ZERO_LOST, mend: 'put_zeros' },
  romanian_cnp: shared.ROMANIAN_CNP,
  swedish_without_01:
    'This looks like an organisation number. A Swedish VAT number has 01 after the ten digits. Compare the prefix with the source, then add 01.',
} satisfies Record<string, Hint>
