/**
 * Numer identyfikacji podatkowej (NIP), the Polish tax and VAT number: ten digits, the last a check digit.
 *
 * Source: Act of 13 October 1995 on the registration and identification of taxpayers; Ministerstwo Finansów; see
 * `nip-digits.ts` for the digits.
 */

import { judgeNipDigits } from '../../pl-nip/nip-digits.ts'
import type { MemberState } from '../member-state.ts'

export const PL: MemberState = {
  prefix: 'PL',
  country: 'Poland',
  formats: ['9999999999'],
  national: { algorithm: 'weighted mod 11', passes: (national) => judgeNipDigits(national) === 'ok' },
  register: { name: 'NIP' },
}
