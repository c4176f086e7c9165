/**
 * Identifikačné číslo pre daň z pridanej hodnoty (IČ DPH), the Slovak VAT number: ten digits.
 *
 * Source: Finančná správa Slovenskej republiky; European Commission, "VIES: VAT Number Construction Rules"
 * 15.0.
 */

import { decimal, digitAt } from '../../arithmetic/decimal.ts'
import type { MemberState } from '../member-state.ts'

function isThirdDigit(digit: number): boolean {
  return (digit >= 2 && digit <= 4) || digit >= 7
}

const passes = (national: string): boolean =>
  digitAt(national, 0) !== 0 && isThirdDigit(digitAt(national, 2)) && decimal(national, 0, 10) % 11 === 0

export const SK: MemberState = {
  prefix: 'SK',
  country: 'Slovakia',
  formats: ['9999999999'],
  national: { algorithm: 'divisible by 11', passes },
}
