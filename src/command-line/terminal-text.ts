const COLUMNS = 80

/** Removes control characters from the text of a service, and breaks its lines at 80 columns. */
export function fitTerminal(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => wrap(printable(line), COLUMNS))
    .join('\n')
}

/** Removes control characters, line ends and changes of direction too, from a line with a service's words. */
export const printable = (line: string): string => line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')

/** Control characters are escaped, and amounts are decimal text: JSON's numbers are too narrow for them. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? each.toString() : each)).replace(
    /\p{Cc}/gu,
    (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`,
  )

/** Breaks a line between words; a longer word, such as a URL, gets a line of its own. */
export function wrap(line: string, columns: number): string[] {
  if (line.length <= columns) return [line]
  const lines: string[] = []
  let current = ''
  for (const word of line.split(' ')) {
    if (current !== '' && current.length + 1 + word.length > columns) {
      lines.push(current)
      current = word
    } else {
      current = current === '' ? word : `${current} ${word}`
    }
  }
  return [...lines, current]
}
