/** Slips that would explain an IBAN whose check digits do not fit. */
import { ALPHANUMERIC, CHARS, DIGIT, VALUE } from '../char-kind.ts'
import { lookalike } from '../lookalikes.ts'
import { replaceAt, swapAt } from '../suspects.ts'
import { HEAD, type IbanCountry } from './countries.ts'
import { judgeIban } from './judge-iban.ts'

/**
 * A letter counts as two digits: replacing a digit by one multiplies all before it by 10, and replacing a letter by a
 * digit divides it by 10, which is a product with 68 modulo 97.
 */
const DIGIT_TO_LETTER = 10 - 1
const LETTER_TO_DIGIT = 68 - 1

export function fitsIban(iban: string): boolean {
  return judgeIban(iban) === 'ok'
}

/** Ascending offsets in a compact IBAN of the right structure at which one slip would make it fit. */
export function ibanSuspects(iban: string, { kinds }: IbanCountry): number[] {
  const characters: number[] = []
  for (let offset = 0; offset < iban.length; offset++) characters.push(CHARS[iban.charCodeAt(offset)]!)
  const weights = weightsOf(characters)
  const remainder = remainderOf(characters, weights)
  const offsets: number[] = []
  /** What the characters before the offset, from the fifth on, add to the remainder. */
  let higher = 0
  for (let offset = 0; offset < iban.length; offset++) {
    const found = characters[offset]!
    const next = characters[offset + 1] ?? found
    const areAllowed = (next & kinds[offset]!) !== 0 && (found & kinds[offset + 1]!) !== 0
    if (next !== found && areAllowed) {
      const change = changeOfSwap(found, next, weights[offset]!, weights[offset + 1]!)
      if ((remainder + change - 1) % 97 === 0 && fitsIban(swapAt(iban, offset))) offsets.push(offset)
    }
    if (kinds[offset] === ALPHANUMERIC) {
      const other = lookalike(iban.charAt(offset))
      if (other !== undefined) {
        const shift = (found & DIGIT) === 0 ? LETTER_TO_DIGIT : DIGIT_TO_LETTER
        const step = (CHARS[other.charCodeAt(0)]! & VALUE) - (found & VALUE)
        const mayFit = (remainder + step * weights[offset]! + shift * higher - 1) % 97 === 0
        if (mayFit && offsets.at(-1) !== offset && fitsIban(replaceAt(iban, offset, other)))
          offsets.push(offset)
      }
    }
    if (offset >= HEAD) higher += (found & VALUE) * weights[offset]!
  }
  return offsets
}

/**
 * What swapping two neighbours adds to the remainder. A letter and a digit have three digits together in either order, so
 * that only their own places change: from 100a + b to 10b + a where `a` is the digit, the other way round where it is not.
 */
function changeOfSwap(found: number, next: number, weight: number, nextWeight: number): number {
  const [a, b] = [found & VALUE, next & VALUE]
  if ((found & next & ALPHANUMERIC) !== 0) return (b - a) * (weight - nextWeight)
  return nextWeight * ((found & DIGIT) !== 0 ? 9 * b - 99 * a : 99 * b - 9 * a)
}

/** What a unit at each offset adds to the remainder; the check digits at offsets 2 and 3 count last. */
function weightsOf(characters: readonly number[]): number[] {
  const weights = characters.slice()
  let weight = 1
  for (let step = 1; step <= characters.length; step++) {
    const offset = step <= HEAD ? HEAD - step : characters.length + HEAD - step
    weights[offset] = weight
    weight = (weight * ((characters[offset]! & DIGIT) === 0 ? 100 : 10)) % 97
  }
  return weights
}

function remainderOf(characters: readonly number[], weights: readonly number[]): number {
  let sum = 0
  for (let offset = 0; offset < characters.length; offset++)
    sum += (characters[offset]! & VALUE) * weights[offset]!
  return sum % 97
}
