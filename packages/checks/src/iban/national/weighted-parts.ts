/** Countries whose accounts consist of parts, each divisible by a modulus when its digits are weighted. */

import { weightedSum } from '../../arithmetic/weighted-sum.ts'
import { type NationalBbanCheck, passedIf } from './outcome.ts'

type Part = readonly [start: number, weights: readonly number[]]

const divisibleBy =
  (modulus: number, ...parts: readonly Part[]): NationalBbanCheck =>
  (bban) =>
    passedIf(parts.every(([start, weights]) => weightedSum(bban, weights, start) % modulus === 0))

/**
 * Albania: the eighth digit of the bank and branch code checks the seven before it.
 *
 * Source: Banka e Shqipërisë (Bank of Albania), rules on the IBAN; SWIFT IBAN Registry, entry AL.
 */
export const albanianCheck = divisibleBy(10, [0, [9, 7, 3, 1, 9, 7, 3, 1]])

/**
 * Czechia and Slovakia: the account prefix (six digits) and the account number (ten), by the powers of two modulo 11.
 *
 * Source: Česká národní banka, Decree 169/2011 Sb. on account number structure; Národná banka Slovenska.
 */
export const czechSlovakCheck = divisibleBy(
  11,
  [4, [10, 5, 8, 4, 2, 1]],
  [10, [6, 3, 7, 9, 10, 5, 8, 4, 2, 1]],
)

/**
 * Estonia: the 7-3-1 method over the account number, which follows the bank code of two digits.
 *
 * Source: Eesti Pangaliit (Estonian Banking Association), check digit of account numbers.
 */
export const estonianCheck = divisibleBy(10, [2, [7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1]])

/**
 * Hungary: bank and branch (eight digits) and the account (sixteen).
 *
 * Source: Magyar Nemzeti Bank, structure of the payment account number (pénzforgalmi jelzőszám).
 */
export const hungarianCheck = divisibleBy(
  10,
  [0, [9, 7, 3, 1, 9, 7, 3, 1]],
  [8, [9, 7, 3, 1, 9, 7, 3, 1, 9, 7, 3, 1, 9, 7, 3, 1]],
)

/**
 * Poland: the eighth digit of the bank code (numer rozliczeniowy) checks the seven before it.
 *
 * Source: Narodowy Bank Polski, Zarządzenie 7/2017 on numbering banks and bank accounts.
 */
export const polishCheck = divisibleBy(10, [0, [3, 9, 7, 1, 3, 9, 7, 1]])
