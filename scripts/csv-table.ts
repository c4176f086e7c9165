import { csvLine } from '../src/values/csv-line.ts'

/** A table that stands beside its page, for a spreadsheet; with the line ends of the repository. */
export const csvTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, ...rows]
    .map((cells) => csvLine(cells.map((cell) => cell.replaceAll('`', ''))))
    .join('')
    .replaceAll('\r\n', '\n')
