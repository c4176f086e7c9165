import type { Checked } from './results.ts'

/** Characters, more than any identifier with lost zeros has. Places and lengths come from a service, which may send any. */
const LONGEST = 64

/**
 * Follows the hint on the buyer's own value; null unless exactly one value results that `isValid` accepts. Only hints that
 * were right in at least nine of ten measured mistakes are followed (docs/correctness.md, Advice).
 */
export function suggest(
  value: string,
  { hint, places, lengths = [] }: Checked,
  isValid: (value: string) => boolean,
): string | null {
  const candidates = new Set(follow(value, hint, places?.[0] ?? 0, lengths).filter(isValid))
  const [only = null] = candidates
  return candidates.size === 1 ? only : null
}

function follow(
  value: string,
  hint: string | undefined,
  place: number,
  lengths: readonly number[],
): readonly string[] {
  const points = [...value]
  switch (hint) {
    case 'leading_zero_lost': {
      // An EU VAT number has its prefix before the digits.
      const [, prefix = '', digits = ''] = /^\s*([A-Za-z]{0,2})\s*(.*?)\s*$/s.exec(value) ?? []
      const padded = lengths
        .slice(0, LONGEST)
        .filter((length) => length <= LONGEST)
        .flatMap((length) => [digits.padStart(length, '0'), digits.padStart(length - prefix.length, '0')])
      return padded.map((each) => prefix + each)
    }
    case 'remove_character':
    case 'trailing_dot':
    case 'czech_slash':
      return [removeLike(points, place)]
    case 'use_dot':
      return points[place] === undefined ? [] : [points.with(place, '.').join('')]
    case 'remove_quotes':
      return [value.trim().slice(1, -1)]
    case 'remove_text_behind':
      return [points.slice(0, place).join('').trimEnd()]
    case 'display_name':
      return /<([^<>]*)>/.exec(value)?.slice(1) ?? []
    case 'hungarian_domestic_number':
      return [value.replace(/^([^0-9]*(?:[0-9][^0-9]*){8}).*/s, '$1')]
    case 'belgian_nine_digits':
      return [value.replace(/^(..)/, '$10')]
    case 'zero_padded_regon9':
      return [value.slice(0, -5)]
    case 'use_prefix:EL':
    case 'use_prefix:GB':
    case 'use_prefix:GR':
      return [hint.slice(-2) + value.slice(2)]
    default:
      return []
  }
}

/** Removes the character and the same ones behind it. */
const removeLike = (points: readonly string[], place: number): string =>
  points.filter((point, at) => at !== place && (at < place || point !== points[place])).join('')
