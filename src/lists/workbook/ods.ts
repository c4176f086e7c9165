/** Sheets of OpenDocument spreadsheets (ODF 1.3, part 3, chapter 9). */
import { MOST_COLUMNS } from '../budget.ts'
import type { TableRecord } from '../input-row.ts'
import { ListFault } from '../list-fault.ts'
import { numberCell } from './number-cell.ts'
import { attribute, scanXml, type XmlToken } from './scan-xml.ts'
import { addToSample, noteSheet, type Sheet } from './sheet.ts'
import type { ZipPart } from './unzip.ts'

/** Rows of the largest sheets. */
const MOST_ROWS = 1_048_576

/** All sheets are in one part, so that their samples are read in one go. */
export async function odsSheets(part: ZipPart): Promise<readonly Sheet[]> {
  const sheets = part.budget.list<Sheet>()
  let found: TableRecord[] = []
  let isFull = false
  const begin = (name: string) => {
    noteSheet(part)
    const [at, sample] = [sheets.length, [] as TableRecord[]]
    found = sample
    isFull = false
    sheets.push({
      name: part.budget.keep(name),
      part,
      sample: async () => sample,
      records: () => recordsOf(part, at),
    })
  }
  for await (const record of readTables(part, { begin, isWanted: () => !isFull }))
    isFull = !addToSample(found, record, part)
  return sheets
}

async function* recordsOf(part: ZipPart, wanted: number): AsyncGenerator<TableRecord> {
  let table = -1
  const begin = () => {
    table += 1
  }
  yield* readTables(part, { begin, isWanted: () => table === wanted, isOver: () => table > wanted })
}

const countOf = (token: XmlToken, name: string, most: number): number =>
  Math.min(Math.max(Number(attribute(token, name) ?? 1) || 1, 1), most)

interface Choice {
  begin(name: string): void
  isWanted(): boolean
  isOver?(): boolean
}

async function* readTables(
  part: ZipPart,
  { begin, isWanted, isOver = () => false }: Choice,
): AsyncGenerator<TableRecord> {
  const { budget } = part
  let line = 0
  let repeatedRow = 1
  let repeatedCell = 1
  let cells: string[] = []
  let lost: number[] = []
  let shown = new Map<number, string>()
  let [column, characters] = [0, 0]
  let text: string | null = null
  let paragraphs = 0
  let isNote = false
  let number: string | undefined
  const add = (more: string) => {
    if (text !== null) text = budget.cell(text + more)
  }
  const read = (token: XmlToken): void => {
    const isOpen = token.kind === 'open'
    if (token.kind === 'text') {
      if (paragraphs > 0 && !isNote) add(token.text)
    } else if (token.text === 'annotation') isNote = isOpen && !token.isEmpty
    else if (token.text === 'table-row') {
      if (!isOpen) return
      repeatedRow = countOf(token, 'number-rows-repeated', MOST_ROWS)
      ;[cells, lost, shown, column, characters] = [[], [], new Map(), 0, 0]
    } else if (token.text === 'table-cell' || token.text === 'covered-table-cell') {
      if (isOpen) {
        repeatedCell = countOf(token, 'number-columns-repeated', MOST_COLUMNS)
        number = attribute(token, 'value-type') === 'float' ? attribute(token, 'value') : undefined
        ;[text, paragraphs] = ['', 0]
      }
      if (token.kind === 'close' || token.isEmpty) endCell()
    } else if (token.text === 'p' && !isNote) {
      if (isOpen && text !== '') add('\n')
      paragraphs += isOpen ? (token.isEmpty ? 0 : 1) : -1
    } else if (token.text === 's' && isOpen) add(' '.repeat(countOf(token, 'c', 1_000)))
    else if (token.text === 'tab' && isOpen) add('\t')
  }
  const endCell = () => {
    const packed = text?.replace(/[ -]/g, '') ?? ''
    const digits = /^0\d+$/.test(packed) && Number(packed) === Number(number) ? packed.length : 0
    const known = number === undefined ? null : numberCell(number, digits)
    const cell = known?.text ?? text ?? ''
    const end = Math.min(column + repeatedCell, MOST_COLUMNS)
    // Empty cells are often repeated to the end of the sheet, so they take room only before a filled one.
    while (cell !== '' && column < end && cells.length < end) {
      if (cells.length >= column && known?.isLost === true) lost.push(cells.length)
      // A column too narrow for a number shows an exponent or number signs.
      if (cells.length >= column && known !== null && text && !/^#+$|E[+-]?\d+$/i.test(text))
        shown.set(cells.length, text)
      cells.push(cells.length < column ? '' : cell)
      characters = budget.rowOf(characters + cell.length)
    }
    column = end
    text = null
  }
  for await (const tokens of scanXml(part)) {
    for (const token of tokens) {
      if (token.text === 'table' && token.kind === 'open') {
        line = 0
        begin(attribute(token, 'name') ?? '')
        if (isOver()) return
      }
      if (!isWanted()) continue
      read(token)
      if (token.text !== 'table-row' || token.kind === 'text' || !(token.kind === 'close' || token.isEmpty))
        continue
      const isFilled = cells.length > 0
      // Programs often repeat an empty last row to the end of the sheet and beyond, so only filled rows are bounded.
      if (isFilled && line + repeatedRow > MOST_ROWS)
        throw new ListFault('the workbook has more rows than a sheet can have')
      for (let count = 0; isFilled && count < repeatedRow && isWanted(); count += 1)
        yield { cells: budget.row(cells), line: line + count + 1, lost, shown }
      line += repeatedRow
    }
  }
}
