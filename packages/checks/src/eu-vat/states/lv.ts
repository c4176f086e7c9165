/**
 * Pievienotās vērtības nodokļa (PVN) reģistrācijas numurs, the Latvian VAT number: eleven digits, the registration number of
 * a legal entity (first digit above 3) or the personal code (personas kods) of a person.
 *
 * A personal code starts with the birth date (DDMMYY, then the century, 0 for 18..); codes given out since 1 July 2017 start
 * with 3 and a digit from 2 to 9, and their other digits are random. The check digit of older codes is not judged: no
 * authority has published its rule.
 * Source: Valsts ieņēmumu dienests (State Revenue Service); Pilsonības un migrācijas lietu pārvalde (Office of Citizenship
 * and Migration Affairs), personal codes; European Commission, "VIES: VAT Number Construction Rules" 15.0.
 */

import { isCalendarDate } from '../../arithmetic/calendar-date.ts'
import { decimal, digitAt } from '../../arithmetic/decimal.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { MemberState } from '../member-state.ts'

const WEIGHTS: readonly number[] = [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]
/** From here on the first two digits are no day, and the code holds no date. */
const FIRST_DATELESS = 32

function personPasses(national: string): boolean {
  const day = decimal(national, 0, 2)
  if (day >= FIRST_DATELESS) return true
  const century = digitAt(national, 6)
  if (century > 2) return false
  return isCalendarDate(1800 + century * 100 + decimal(national, 4, 6), decimal(national, 2, 4), day)
}

export const LV: MemberState = {
  prefix: 'LV',
  country: 'Latvia',
  formats: ['99999999999'],
  national: {
    algorithm: 'weighted mod 11 (legal entities); birth date (persons)',
    passes: (national) =>
      digitAt(national, 0) > 3 ? weightedSum(national, WEIGHTS) % 11 === 3 : personPasses(national),
  },
}
