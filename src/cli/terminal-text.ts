const COLUMNS = 80

/**
 * Text of a service made fit for a terminal: without control characters, which could rewrite what the reader sees,
 * and broken between words at 80 columns; a longer word, such as a URL, keeps a line of its own.
 */
export function fitTerminal(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => wrap(line.replace(/\p{Cc}/gu, '')))
    .join('\n')
}

function wrap(line: string): string[] {
  if (line.length <= COLUMNS) return [line]
  const lines: string[] = []
  let current = ''
  for (const word of line.split(' ')) {
    if (current !== '' && current.length + 1 + word.length > COLUMNS) {
      lines.push(current)
      current = word
    } else {
      current = current === '' ? word : `${current} ${word}`
    }
  }
  return [...lines, current]
}
