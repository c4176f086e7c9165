/** Number formats of workbooks (ECMA-376, part 1, 18.8.30 and 18.8.31), as far as no language of a user decides. */
import { dateText, type FormatPart } from './date-format.ts'

/** Null where the number as it is kept says it best. */
export type ShowNumber = (number: number) => string | null

/** Formats that a workbook names by number alone. Dates that follow the user's language are written as ISO 8601 has them. */
export const BUILT_IN: Readonly<Record<number, string>> = {
  ...{ 1: '0', 2: '0.00', 3: '#,##0', 4: '#,##0.00', 9: '0%', 10: '0.00%' },
  ...{ 14: 'yyyy-mm-dd', 15: 'yyyy-mm-dd', 16: 'yyyy-mm-dd', 17: 'yyyy-mm-dd', 18: 'h:mm AM/PM' },
  ...{ 19: 'h:mm:ss AM/PM', 20: 'h:mm', 21: 'h:mm:ss', 22: 'yyyy-mm-dd hh:mm' },
  ...{ 37: '#,##0;(#,##0)', 38: '#,##0;(#,##0)', 39: '#,##0.00;(#,##0.00)', 40: '#,##0.00;(#,##0.00)' },
  ...{ 45: 'mm:ss', 46: '[h]:mm:ss', 47: 'mm:ss.0' },
}

/** Excel takes no longer ones. */
export const LONGEST_FORMAT = 255
const PART = /"([^"]*)"|\\(.)|_.|\*.|\[([^\]]*)\]|(AM\/PM|A\/P)|([ymdhs])\5*|([0#?]+)|([\s\S])/giu
/** Colours, and the language and currency of a format. */
const COLOUR = /^(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)$/i
const CURRENCY = /^\$([^-]*)(?:-[\da-f]+)?$/i
const ELAPSED = /^(?:h+|m+|s+)$/i

/** `isFrom1904`: days are counted from 1904, as the first Macs did. */
export function showNumber(code: string, isFrom1904: boolean): ShowNumber {
  const sections = code.length > LONGEST_FORMAT ? null : sectionsOf(code)
  if (sections === null) return () => null
  return (number) => {
    const at = number < 0 ? 1 : number === 0 ? 2 : 0
    const own = sections[at]
    const parts = own !== undefined && at < 3 ? own : (sections[0] ?? [])
    // A format section for negative numbers has its own sign; in the first section we add one.
    const isSigned = number < 0 && parts === sections[0]
    if (parts.some(({ text, isWords }) => !isWords && /^\[?[ymdhs]/i.test(text)))
      return dateText(parts, number, isFrom1904)
    const shown = numberText(parts, Math.abs(number))
    return shown !== null && isSigned ? `-${shown}` : shown
  }
}

/** Null for a format with a part that is not known here, such as a condition, a fraction or an exponent. */
function sectionsOf(code: string): readonly (readonly FormatPart[])[] | null {
  const sections: FormatPart[][] = [[]]
  for (const [found, quoted, escaped, bracket, noon, date, digits, sign = ''] of code.matchAll(PART)) {
    const words = quoted ?? escaped ?? (bracket === undefined ? undefined : CURRENCY.exec(bracket)?.[1])
    const section = sections.at(-1) ?? []
    if (words !== undefined) section.push({ text: words, isWords: true })
    else if (bracket !== undefined) {
      if (ELAPSED.test(bracket)) section.push({ text: found, isWords: false })
      else if (!COLOUR.test(bracket)) return null
    } else if (noon !== undefined || date !== undefined || digits !== undefined)
      section.push({ text: found, isWords: false })
    else if (sign === ';') sections.push([])
    else if (/[.,%@]/.test(sign)) section.push({ text: sign, isWords: false })
    else if (/[\s$\-+/():!^&'~{}<>=\u0080-\u{10ffff}]/u.test(sign))
      section.push({ text: sign, isWords: true })
    else if (sign !== '') return null
  }
  // A "/" between digits makes a fraction.
  const isFraction = sections.some((parts) =>
    parts.some(({ text }, at) => text === '/' && isPlace(parts[at - 1]) && isPlace(parts[at + 1])),
  )
  if (isFraction) return null
  // The section of texts is behind those of numbers.
  return sections.at(-1)?.some(({ text, isWords }) => text === '@' && !isWords)
    ? sections.slice(0, -1)
    : sections
}

const isPlace = (part: FormatPart | undefined): boolean =>
  part !== undefined && !part.isWords && /^[0#?]/.test(part.text)

function numberText(parts: readonly FormatPart[], number: number): string | null {
  const places = parts.map((part) => (isPlace(part) ? part.text : ''))
  const first = places.findIndex((text) => text !== '')
  const signs = parts.map(({ text, isWords }) => (isWords ? '' : text))
  const point = signs.indexOf('.')
  const end = point < 0 ? parts.length : point
  const last = places.slice(0, end).findLastIndex((text) => text !== '')
  if (first < 0) return parts.length > 0 && signs.every((sign) => sign === '') ? wordsOf(parts) : null
  const commas = signs.flatMap((sign, at) => (sign === ',' ? [at] : []))
  const isGrouped = commas.some((at) => first < at && at < last)
  const thousands = commas.filter((at) => at > last && at < end).length
  const hundreds = signs.filter((sign) => sign === '%').length
  const decimals = point < 0 ? '' : places.slice(point).join('')
  const rounded = fixed(number, 2 * hundreds - 3 * thousands, decimals.length)
  if (rounded === null) return null
  let [whole = '', part = ''] = rounded.split('.')
  if (whole === '0') whole = ''
  whole = whole.padStart(places.slice(0, end).join('').replace(/[^0]/g, '').length, '0')
  // Digits fill their places from the right; the first place takes what is left.
  const shown: string[] = []
  let grouped = 0
  for (let at = parts.length - 1; at >= 0; at -= 1) {
    const { text, isWords } = parts[at] as FormatPart
    const width = places[at]?.length ?? 0
    if (isWords || text === '%') shown.unshift(text)
    else if (at === point) {
      const kept = part.slice(0, leastDecimals(decimals, part))
      shown.splice(0, shown.length, ...(kept === '' && !decimals.includes('0') ? [] : [`.${kept}`]), ...shown)
    } else if (width > 0 && at < end) {
      const taken = at === first ? whole : whole.slice(Math.max(whole.length - width, 0))
      whole = whole.slice(0, whole.length - taken.length)
      const digits = [...taken].reverse().map((digit, place) => {
        const isBehind = isGrouped && grouped + place > 0 && (grouped + place) % 3 === 0
        return isBehind ? `${digit},` : digit
      })
      grouped += taken.length
      shown.unshift(digits.reverse().join(''))
    }
  }
  return shown.join('').trim()
}

const wordsOf = (parts: readonly FormatPart[]): string => parts.map(({ text }) => text).join('')

/** How many decimals are shown: zeros at the end only where the format has them. */
function leastDecimals(places: string, digits: string): number {
  let length = places.length
  while (length > 0 && places[length - 1] !== '0' && digits[length - 1] === '0') length -= 1
  return length
}

/** Rounds the decimal digits that a spreadsheet keeps, 15, and not those of the binary number: 1.005 is 1.01. */
function fixed(number: number, power: number, decimals: number): string | null {
  const [digits = '', exponent = '0'] = number.toExponential(14).split('e')
  const scaled = Number(`${digits}e${Number(exponent) + power + decimals}`)
  if (!(scaled < 1e15)) return null
  const whole = String(Math.round(scaled)).padStart(decimals + 1, '0')
  return decimals === 0 ? whole : `${whole.slice(0, -decimals)}.${whole.slice(-decimals)}`
}
