import { HINTS } from 'format-checker-checks/hints'
import type { Mend } from 'format-checker-checks/internal/profile'
import { lookalikesOf } from 'format-checker-checks/internal/text/lookalikes'
import { digitsOfNotation } from 'format-checker-checks/internal/text/scientific-notation'
import type { Checked } from './results.ts'

/** Characters, more than any identifier with lost zeros has. Places and lengths come from a service, which may send any. */
const LONGEST = 64

/**
 * Null unless exactly one value results that `isValid` accepts. Only hints that were right in nine of ten measured
 * mistakes are followed (docs/correctness.md, Advice).
 */
export function suggest(
  value: string,
  { hint = '', places, lengths = [], span }: Checked,
  isValid: (value: string) => boolean,
): string | null {
  const table: Readonly<Record<string, { readonly mend?: Mend }>> = HINTS
  const mend = Object.hasOwn(table, hint) ? table[hint]?.mend : undefined
  const found =
    span === undefined
      ? follow(value, mend, places?.[0] ?? 0, lengths)
      : [[...value].slice(span.start, span.end).join('')]
  const candidates = new Set(found.map((each) => withoutEdges(each, isValid)).filter(isValid))
  const [only = null] = candidates
  return candidates.size === 1 ? only : null
}

function follow(
  value: string,
  mend: Mend | undefined,
  place: number,
  lengths: readonly number[],
): readonly string[] {
  const points = [...value]
  switch (mend) {
    case 'put_zeros': {
      // An EU VAT number has its prefix before the digits.
      const [, prefix = '', digits = ''] = /^\s*([A-Za-z]{0,2})\s*(.*?)\s*$/s.exec(value) ?? []
      const padded = lengths
        .slice(0, LONGEST)
        .filter((length) => length <= LONGEST)
        .flatMap((length) => [digits.padStart(length, '0'), digits.padStart(length - prefix.length, '0')])
      return padded.map((each) => prefix + each)
    }
    case 'remove':
      return [removeLike(points, place)]
    case 'put_dot':
      return points[place] === undefined ? [] : [points.with(place, '.').join('')]
    case 'cut_behind':
      return [points.slice(0, place).join('').trimEnd()]
    case 'put_lookalike':
      return lookalikesPut(points, place)
    case 'put_digits':
      return [digitsOfNotation(value) ?? []].flat()
    default:
      return typeof mend === 'object' ? [value.replace(new RegExp(mend[0], 'gs'), mend[1])] : []
  }
}

/** The look-alikes of the character at a place, put there alone and for the same characters behind it. */
function lookalikesPut(points: readonly string[], place: number): readonly string[] {
  const sign = points[place]
  if (sign === undefined) return []
  return lookalikesOf(sign, points.includes('@')).flatMap((other) => [
    points.with(place, other).join(''),
    points.map((point, at) => (at >= place && point === sign ? other : point)).join(''),
  ])
}

/** A separator or a blank that a cut left at an edge; an address has none. */
function withoutEdges(value: string, isValid: (value: string) => boolean): string {
  if (value.includes('@')) return value
  const trimmed = value.replace(/^[\s\-\u2010-\u2015]+|[\s\-\u2010-\u2015.,;/]+$/g, '')
  return trimmed !== value && isValid(trimmed) ? trimmed : value
}

const removeLike = (points: readonly string[], place: number): string =>
  points.filter((point, at) => at !== place && (at < place || point !== points[place])).join('')
