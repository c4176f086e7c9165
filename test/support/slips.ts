import { PROFILES } from 'format-checker-checks'
import { CHECKS } from 'format-checker-checks/internal/checks'
import type { CheckType } from 'format-checker-checks/verdict'
import { compactVectors } from './vectors.ts'

/** A mistake as people make it. */
export interface Mistake {
  readonly type: CheckType
  readonly mistake: string
  readonly value: string
  /** What the value should have been; null when it cannot be known. */
  readonly meant: string | null
}

/** Vectors of a type that slips are made of; one makes about a dozen. */
const MOST_MODELS = 12

type Slip = (meant: string, at: number, type: CheckType) => string

const SLIPS: Readonly<Record<string, Slip>> = {
  'a character left out': (meant, at) => meant.slice(0, at) + meant.slice(at + 1),
  'a character typed twice': (meant, at) => meant.slice(0, at + 1) + meant.slice(at),
  'two neighbours swapped': (meant, at) =>
    meant.slice(0, at) + meant.charAt(at + 1) + meant.charAt(at) + meant.slice(at + 2),
  'a wrong digit': (meant, at) =>
    meant.slice(0, at) +
    meant.slice(at).replace(/[0-9]/, (digit) => String((Number(digit) + 1 + (at % 8)) % 10)),
  'bar for one': (meant) => meant.replace('1', '|'),
  'Cyrillic letter': (meant) => meant.replace(/[AEO]/, (letter) => CYRILLIC[letter]!),
  'digit of another script': (meant, at) =>
    meant.slice(0, at) +
    meant.slice(at).replace(/[0-9]/, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  'label in front': (meant, _at, type) => `${PROFILES[type].labels.names[0]}: ${meant}`,
  'comma at the end': (meant) => `${meant},`,
  'quotation marks': (meant) => `"${meant}"`,
  'slash inside': (meant, at) => `${meant.slice(0, at)}/${meant.slice(at)}`,
  'zero-width space inside': (meant, at) => `${meant.slice(0, at)}\u200b${meant.slice(at)}`,
  'em dash inside': (meant, at) => `${meant.slice(0, at)}\u2014${meant.slice(at)}`,
}
const CYRILLIC: Readonly<Record<string, string>> = { A: '\u0410', E: '\u0415', O: '\u041e' }

/** Slips in the vectors of a type that its check refuses, the same at each call. */
export function slipsOf(type: CheckType): readonly Mistake[] {
  const models = compactVectors(type).slice(0, MOST_MODELS)
  return models.flatMap(({ value: meant }, index) =>
    Object.entries(SLIPS).flatMap(([mistake, slip]) => {
      const value = slip(meant, 1 + ((index * 5) % (meant.length - 2)), type)
      return value === meant || CHECKS[type](value).valid ? [] : [{ type, mistake, value, meant }]
    }),
  )
}
