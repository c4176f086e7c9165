/** Follows the hints of a refused value as a caller would, to see whether they lead to what was meant. */
import { HINTS } from 'format-checker-checks/hints'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { digitsOfNotation } from 'format-checker-checks/internal/text/scientific-notation'
import type { CheckType, Details } from 'format-checker-checks/verdict'
import { outlineOf } from './vectors.ts'

const LETTER_OF: Readonly<Record<string, string>> = { '0': 'O', '1': 'I', '2': 'Z', '5': 'S', '8': 'B' }
const DIGIT_OF: Readonly<Record<string, string>> = {
  ...{ '|': '1', '\u00d8': '0', '\u00f8': '0', '\u0417': '3', '\u0437': '3', '\u0431': '6' },
  ...{ O: '0', Q: '0', D: '0', I: '1', L: '1', Z: '2', S: '5', G: '6', B: '8', b: '6', g: '9', q: '9' },
}
/** Letters of other scripts, as Unicode maps them or as they are drawn. */
const LATIN_OF: Readonly<Record<string, string>> = {
  ...{
    '\u0410': 'A',
    '\u0412': 'B',
    '\u0421': 'C',
    '\u0415': 'E',
    '\u041d': 'H',
    '\u041a': 'K',
    '\u041c': 'M',
  },
  ...{
    '\u041e': 'O',
    '\u0420': 'P',
    '\u0422': 'T',
    '\u0425': 'X',
    '\u0430': 'a',
    '\u0441': 'c',
    '\u0435': 'e',
  },
  ...{ '\u043e': 'o', '\u0440': 'p', '\u0395': 'E', '\u2019': "'", '\u2013': '-' },
}
const MOST_STEPS = 64
const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** The value after following one hint; the same value when the hint asks a person. */
export function followHint(type: CheckType, value: string, { hint, position = 0, span }: Details): string {
  const points = [...value]
  // Whatever the hint calls what stands around it, the value is known.
  if (span !== undefined) return points.slice(span.start, span.end).join('')
  const here = points[position] ?? ''
  const mend = hint === undefined ? undefined : HINTS[hint].mend
  switch (mend) {
    case 'remove':
      return points.toSpliced(position, 1).join('')
    case 'put_lookalike': {
      const upper = here.toUpperCase()
      const other =
        LATIN_OF[here] ?? LETTER_OF[here] ?? DIGIT_OF[here] ?? DIGIT_OF[upper] ?? here.normalize('NFKC')
      return points.with(position, other).join('')
    }
    case 'put_ascii_digit':
      return points.with(position, asciiDigit(here)).join('')
    case 'put_dot':
      return points.with(position, '.').join('')
    case 'cut_behind':
      return points.slice(0, position).join('')
    case 'put_digits':
      return digitsOfNotation(value) ?? value
    case 'cut_label':
      return withoutLabel(type, value)
    case undefined:
    case 'put_zeros':
      return value
    default:
      return value.replace(new RegExp(mend[0], 'gs'), mend[1])
  }
}

/** Digits come in runs of ten that start at a multiple of 16, or six after it. */
function asciiDigit(digit: string): string {
  const folded = digit.normalize('NFKC')
  if (/\d/.test(folded)) return folded
  const nibble = digit.codePointAt(0)! & 15
  return String(/\p{Nd}/u.test(String.fromCodePoint(digit.codePointAt(0)! - nibble)) ? nibble : nibble - 6)
}

const WORDS =
  /^\s*(?:(?:nr|account)?[\s.]*(?:iban|konto|konta|vat|tax|ust-?id|tva|btw|uid|p\.?\s?iva|partita iva)(?:[\s-]?(?:nr|no|id|number|reg))*\.?\s*[:=#]?\s*|[^:0-9]+:\s*)/i

/** What follows the name of the field: the last word of an address, the first digit or country code of a number. */
function withoutLabel(type: CheckType, value: string): string {
  const { kind } = outlineOf(type)
  if (kind === 'text') return value.slice(value.search(/[^\s:<]+@|[^\s:@]+$/))
  // A country code with digits behind it; words can start with one, too.
  const words = /^.*[^0-9A-Z](?=[A-Z]{2}[ U]?\d)/is
  if (kind !== 'digits') return WORDS.test(value) ? value.replace(WORDS, '') : value.replace(words, '')
  const start = value.search(/\d/)
  return start < 0 ? value : value.slice(start)
}

/** Every valid value one slip away from a value: a character replaced, left out or put in, two neighbours swapped. */
export function validWithinOneSlip(type: CheckType, value: string): ReadonlySet<string> {
  const compact = value.replace(/[\s.-]/g, '').toUpperCase()
  const places = Array.from({ length: compact.length + 1 }, (_, at) => at)
  const changed = places.flatMap((at) => {
    const [before, here, after] = [compact.slice(0, at), compact.slice(at, at + 1), compact.slice(at + 1)]
    const signs = [...SIGNS].flatMap((sign) => [before + sign + after, before + sign + here + after])
    return [...signs, before + after, before + after.slice(0, 1) + here + after.slice(1)]
  })
  return new Set(changed.filter((each) => CHECKS[type](each).valid))
}

/** A value as its check compares it: separators, case and a prefix are free in numbers, the case of text is not. */
export function compactOf(type: CheckType, value: string): string {
  const { kind, prefix = '' } = outlineOf(type)
  if (kind === 'text') return value.trim()
  const bare = value.replace(/[\s.\-\u2010-\u2013\u2007\u2009\u202f]/g, '').toUpperCase()
  return bare.startsWith(prefix) ? bare.slice(prefix.length) : bare
}

/** Follows hints until the value is valid or no hint can be followed without asking. */
export function followHints(type: CheckType, value: string): string {
  let current = value
  for (let step = 0; step < MOST_STEPS; step++) {
    const verdict = CHECKS[type](current)
    if (verdict.valid) return current
    const next = followHint(type, current, verdict.details)
    if (next === current) return current
    current = next
  }
  return current
}

/** Edits (insert, delete, replace, swap neighbours) between two texts. */
export function editDistance(one: string, other: string): number {
  const [a, b] = [[...one], [...other]]
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let best = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, rows[i - 2]![j - 2]! + 1)
      }
      rows[i]![j] = best
    }
  }
  return rows[a.length]![b.length]!
}
