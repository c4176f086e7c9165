const DAY = 86_400_000
/** 31 December 9999, the last day that a sheet shows. */
const LAST_DAY = 2_958_466
/** Days from the first of each count to 1 January 1970; the count from 1900 has a 29 February 1900, number 60. */
const TO_1970 = { from1900: 25_569, from1904: 24_107 }
const NOT_A_DAY = 60

/** What a format has in a section; `isWords` are words that are shown as they are. */
export interface FormatPart {
  readonly text: string
  readonly isWords: boolean
}

/** A date or a time as its format shows it; with the name of a month or day, which has a language, as ISO 8601 has it. */
export function dateText(parts: readonly FormatPart[], days: number, isFrom1904: boolean): string | null {
  if (!(days >= 0 && days < LAST_DAY)) return null
  const codes = parts.map(({ text, isWords }) => (isWords ? '' : text.toLowerCase()))
  // Tenths of a second, as a format shows them, are rounded; what is larger is cut off.
  const second = codes.findLastIndex((code) => /^\[?s/.test(code))
  const fraction =
    second >= 0 && codes[second + 1] === '.' && /^0+$/.test(codes[second + 2] ?? '') ? second + 2 : -1
  const decimals = fraction < 0 ? 0 : Math.min(codes[fraction]?.length ?? 0, 3)
  const unit = 1_000 / 10 ** decimals
  const time = Math.round((days * DAY) / unit) * unit
  const whole = Math.floor(time / DAY)
  const shift = isFrom1904 ? TO_1970.from1904 : TO_1970.from1900 - (whole < NOT_A_DAY ? 1 : 0)
  const date = new Date(time - shift * DAY)
  const isNoDay = !isFrom1904 && (whole === NOT_A_DAY || whole === 0)
  const hasDate = codes.some((code, at) => /^[yd]/.test(code) || (/^m/.test(code) && !isMinutes(codes, at)))
  // Days 0 and 60 (29 February 1900) of Excel are on no calendar; a format that shows only the time ignores the day.
  if (isNoDay && hasDate) return null
  const iso = date.toISOString()
  if (codes.some((code) => /^(?:d{3,}|m{3,})$/.test(code)))
    return codes.some((code) => /^\[?[hs]/.test(code)) ? iso.slice(0, 19).replace('T', ' ') : iso.slice(0, 10)
  const isNoon = codes.some((code) => code.startsWith('a'))
  return parts
    .map(({ text, isWords }, at) => {
      if (isWords) return text
      const code = codes[at] ?? ''
      if (at === fraction) return iso.slice(20, 20 + decimals)
      const padded = (number: number) =>
        String(Math.floor(number)).padStart(Math.min(code.replace(/\W/g, '').length, 2), '0')
      switch (code.replace(/^\[/, '@')[0] === '@' ? `[${code[1]}` : code[0]) {
        case 'y':
          return code.length > 2 ? iso.slice(0, 4) : iso.slice(2, 4)
        case 'm':
          return padded(isMinutes(codes, at) ? date.getUTCMinutes() : date.getUTCMonth() + 1)
        case 'd':
          return padded(date.getUTCDate())
        case 'h':
          return padded(isNoon ? date.getUTCHours() % 12 || 12 : date.getUTCHours())
        case 's':
          return padded(date.getUTCSeconds())
        case '[h':
          return padded(time / 3_600_000)
        case '[m':
          return padded(time / 60_000)
        case '[s':
          return padded(time / 1_000)
        case 'a':
          return date.getUTCHours() < 12 ? (text.split('/')[0] ?? '') : (text.split('/')[1] ?? '')
        default:
          return text
      }
    })
    .join('')
    .trim()
}

/** An "m" behind hours or in front of seconds. */
function isMinutes(codes: readonly string[], at: number): boolean {
  const isCode = (code: string) => /^\[?[ymdhs]/.test(code)
  const before = codes.slice(0, at).findLast(isCode) ?? ''
  const behind = codes.slice(at + 1).find(isCode) ?? ''
  return /^\[?h/.test(before) || /^\[?s/.test(behind)
}
