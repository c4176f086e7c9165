/**
 * Közösségi adószám, the Hungarian EU VAT number: the first eight digits of the domestic adószám of eleven.
 *
 * Source: Act CL of 2017 on the rules of taxation; Nemzeti Adó- és Vámhivatal (NAV).
 */

import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { MemberState } from '../member-state.ts'

const WEIGHTS: readonly number[] = [9, 7, 3, 1, 9, 7, 3, 1]

/** Behind the eight digits the VAT code, 1 to 5, and the tax office: a county (02 to 44) or the large taxpayers' (51). */
const DOMESTIC = /^\d{8}[1-5](?:0[2-9]|[1-3]\d|4[0-4]|51)$/

const passes = (national: string): boolean => weightedSum(national, WEIGHTS) % 10 === 0

export const HU: MemberState = {
  prefix: 'HU',
  country: 'Hungary',
  formats: ['99999999'],
  national: { algorithm: '9-7-3-1 mod 10', passes },
  legacy: [{ hint: 'hungarian_domestic_number', shape: DOMESTIC, fits: passes }],
}
