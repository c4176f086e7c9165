/**
 * Közösségi adószám, the Hungarian EU VAT number: the first eight digits of the domestic adószám of eleven.
 *
 * The sum with weights 9,7,3,1,9,7,3,1 is divisible by 10.
 * Source: Act CL of 2017 on the rules of taxation; Nemzeti Adó- és Vámhivatal (NAV).
 */

import { areDigits } from '../../arithmetic/decimal.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { MemberState } from '../member-state.ts'

const WEIGHTS: readonly number[] = [9, 7, 3, 1, 9, 7, 3, 1]

const passes = (national: string): boolean => weightedSum(national, WEIGHTS) % 10 === 0

export const HU: MemberState = {
  prefix: 'HU',
  country: 'Hungary',
  euMember: true,
  formats: ['99999999'],
  national: { algorithm: '9-7-3-1 mod 10', passes },
  legacyHint: (national) =>
    national.length === 11 && areDigits(national) && passes(national) ? 'hungarian_domestic_number' : null,
}
