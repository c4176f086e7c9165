import { ListFault } from './list-fault.ts'

/** Characters, far more than any value has: a list without line ends must not fill the memory. */
const LONGEST_LINE = 1024 * 1024

/** LF, CR LF and CR end a line. */
export async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    const text = rest + chunk
    // A CR at the end may be half of CR LF.
    const end = text.endsWith('\r') ? text.length - 1 : text.length
    let start = 0
    for (const { 0: mark, index } of text.slice(0, end).matchAll(/\r\n|\n|\r/g)) {
      yield text.slice(start, index)
      start = index + mark.length
    }
    rest = text.slice(start)
    if (rest.length > LONGEST_LINE)
      throw new ListFault('the list has a line of more than a million characters')
  }
  if (rest.endsWith('\r')) rest = rest.slice(0, -1)
  else if (rest === '') return
  yield rest
}

export const linesOf = (sample: string): string[] => sample.split(/\r\n|\n|\r/)
