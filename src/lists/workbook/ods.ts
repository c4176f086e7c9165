/** Sheets of OpenDocument spreadsheets (ODF 1.3, part 3, chapter 9). */
import type { TableRecord } from '../input-row.ts'
import { ListFault } from '../list-fault.ts'
import { MOST_COLUMNS, numberCell } from './number-cell.ts'
import { attribute, scanXml, type XmlToken } from './scan-xml.ts'
import { textOf, type ZipPart } from './unzip.ts'
import type { Sheet } from './xlsx.ts'

/** Rows of the largest sheets. */
const MOST_ROWS = 1_048_576

export async function odsSheets(part: ZipPart): Promise<readonly Sheet[]> {
  const names: string[] = []
  for await (const token of scanXml(textOf(part))) {
    if (token.kind === 'open' && token.text === 'table') names.push(attribute(token, 'name') ?? '')
  }
  return names.map((name, at) => ({ name, part, records: () => sheetRecords(part, at) }))
}

const countOf = (token: XmlToken, name: string, most: number): number =>
  Math.min(Math.max(Number(attribute(token, name) ?? 1) || 1, 1), most)

async function* sheetRecords(part: ZipPart, wanted: number): AsyncGenerator<TableRecord> {
  let table = -1
  let line = 0
  let repeatedRow = 1
  let repeatedCell = 1
  let cells: string[] = []
  let lost: number[] = []
  let column = 0
  let text: string | null = null
  let paragraphs = 0
  let isNote = false
  let number: string | undefined
  for await (const token of scanXml(textOf(part))) {
    const isOpen = token.kind === 'open'
    if (token.text === 'table' && token.kind !== 'text') table += isOpen ? 1 : 0
    if (table < wanted) continue
    if (table > wanted) return
    if (token.kind === 'text') {
      if (text !== null && paragraphs > 0 && !isNote) text += token.text
    } else if (token.text === 'annotation') isNote = isOpen && !token.isEmpty
    else if (token.text === 'table-row') {
      if (isOpen) {
        repeatedRow = countOf(token, 'number-rows-repeated', MOST_ROWS)
        ;[cells, lost, column] = [[], [], 0]
      }
      if (token.kind === 'close' || token.isEmpty) {
        const isFilled = cells.length > 0
        // Programs often repeat an empty last row to the end of the sheet and beyond, so only filled rows are bounded.
        if (isFilled && line + repeatedRow > MOST_ROWS)
          throw new ListFault('the workbook has more rows than a sheet can have')
        for (let count = 0; isFilled && count < repeatedRow; count += 1)
          yield { cells, line: line + count + 1, lost }
        line += repeatedRow
      }
    } else if (token.text === 'table-cell' || token.text === 'covered-table-cell') {
      if (isOpen) {
        repeatedCell = countOf(token, 'number-columns-repeated', MOST_COLUMNS)
        number = attribute(token, 'value-type') === 'float' ? attribute(token, 'value') : undefined
        ;[text, paragraphs] = ['', 0]
      }
      if (token.kind === 'close' || token.isEmpty) {
        const shown = text?.replace(/[ -]/g, '') ?? ''
        const digits = /^0\d+$/.test(shown) && Number(shown) === Number(number) ? shown.length : 0
        const read = number === undefined ? null : numberCell(number, digits)
        const cell = read?.text ?? text ?? ''
        const end = Math.min(column + repeatedCell, MOST_COLUMNS)
        // Empty cells are often repeated to the end of the sheet, so they take room only before a filled one.
        while (cell !== '' && column < end && cells.length < end) {
          if (cells.length >= column && read?.isLost === true) lost.push(cells.length)
          cells.push(cells.length < column ? '' : cell)
        }
        column = end
        text = null
      }
    } else if (token.text === 'p' && !isNote) {
      if (isOpen && text !== null && text !== '') text += '\n'
      paragraphs += isOpen ? (token.isEmpty ? 0 : 1) : -1
    } else if (token.text === 's' && isOpen && text !== null) text += ' '.repeat(countOf(token, 'c', 1_000))
    else if (token.text === 'tab' && isOpen && text !== null) text += '\t'
  }
}
