/** Spreadsheets run a cell that begins with one of these, also behind spaces (OWASP, CSV injection). */
export const FORMULA = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u

/** What divides cells and rows in some locale: a program of another one does not see the quotes around its cell. */
const DIVIDERS = [',', ';', '\t', '|', '\r', '\n']

export interface CsvOptions {
  readonly delimiter?: string
  /** True for a cell of the input that comes back as it was; any other cell is kept from running as a formula. */
  readonly isKept?: (at: number) => boolean
}

/**
 * One line of CSV (RFC 4180), the only way to write one. An apostrophe keeps a spreadsheet from running a text, at its
 * begin and where a spreadsheet of another locale would divide it; `asShown` takes the first away again. Numbers run
 * nothing.
 */
export function csvLine(
  cells: readonly (string | number)[],
  { delimiter = ',', isKept = () => false }: CsvOptions = {},
): string {
  const inner = new RegExp(
    `([${DIVIDERS.filter((each) => each !== delimiter).join('')}]\\s*)(?=[=+\\-@\uff1d\uff0b\uff0d\uff20])`,
    'gu',
  )
  const inert = (cell: string) => {
    const text = cell.replace(inner, "$1'")
    return FORMULA.test(text) ? `'${text}` : text
  }
  const quoted = (cell: string) =>
    cell.includes('"') || cell.includes(delimiter) || DIVIDERS.some((each) => cell.includes(each))
      ? `"${cell.replaceAll('"', '""')}"`
      : cell
  const written = cells.map((cell, at) =>
    typeof cell === 'number' ? String(cell) : quoted(isKept(at) ? cell : inert(cell)),
  )
  return `${written.join(delimiter)}\r\n`
}
