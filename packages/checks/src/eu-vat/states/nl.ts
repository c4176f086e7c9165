/**
 * Btw-identificatienummer, the Dutch VAT number: nine digits, "B" and two digits.
 *
 * Legal entities: the nine digits are the RSIN, and the suffix counts from 01. Sole traders since 1 January 2020: a
 * meaningless number, so that it no longer shows the citizen service number; its last two digits make ISO 7064 MOD 97-10 of
 * "NL" and the whole number give 1.
 * Source: Belastingdienst, "btw-identificatienummer" for sole traders, 2019 (example NL000099998B57); European Commission,
 * VIES FAQ, Q11, allows twelve free characters, of which only this shape has been issued.
 */

import { decimal, digitAt } from '../../arithmetic/decimal.ts'
import { mod97 } from '../../arithmetic/mod97.ts'
import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import type { MemberState } from '../member-state.ts'

const WEIGHTS: readonly number[] = [9, 8, 7, 6, 5, 4, 3, 2]
const MIN_KEY = 2
const MAX_KEY = 98

function rsinPasses(national: string): boolean {
  return (weightedSum(national, WEIGHTS) - digitAt(national, 8)) % 11 === 0
}

function passes(national: string): boolean {
  const suffix = decimal(national, 10, 12)
  if (suffix === 0) return false
  if (rsinPasses(national)) return true
  return suffix >= MIN_KEY && suffix <= MAX_KEY && mod97(`NL${national}`) === 1
}

export const NL: MemberState = {
  prefix: 'NL',
  country: 'Netherlands',
  formats: ['999999999B99'],
  national: { algorithm: 'weighted mod 11 (RSIN) or ISO 7064 MOD 97-10', passes },
  legacy: [
    { hint: 'dutch_without_suffix', shape: /^\d{9}$/ },
    {
      hint: 'dutch_without_leading_zeros',
      shape: /^\d{1,8}B\d\d$/,
      fits: (national) => passes(national.padStart(12, '0')),
    },
  ],
}
