/** Sheets of Excel workbooks (ECMA-376, part 1, SpreadsheetML). */
import { MOST_COLUMNS } from '../budget.ts'
import type { TableRecord } from '../input-row.ts'
import { ListFault } from '../list-fault.ts'
import { numberCell } from './number-cell.ts'
import { BUILT_IN, type ShowNumber, showNumber } from './number-format.ts'
import { attribute, scanXml, visitXml, type XmlToken } from './scan-xml.ts'
import { addToSample, noteSheet, type Sheet } from './sheet.ts'
import type { ZipPart } from './unzip.ts'

const MOST_STYLES = 65_536

/** How many digits a number has at least, and what its cell shows. */
interface Style {
  readonly digits: number
  readonly show: ShowNumber
}
/** Texts by their number, and the styles of cells by theirs. */
type Shown = readonly [texts: readonly string[], styles: readonly Style[]]
type FindPart = (name: string) => ZipPart | undefined

export async function xlsxSheets(find: FindPart): Promise<readonly Sheet[]> {
  const targets = new Map<string, string>()
  await visitXml(find('xl/_rels/workbook.xml.rels'), (token, budget) => {
    if (token.kind !== 'open' || token.text !== 'Relationship') return
    budget.take('cells', 1)
    targets.set(attribute(token, 'Id') ?? '', attribute(token, 'Target') ?? '')
  })
  const sheets: Sheet[] = []
  let shown: Promise<Shown> | undefined
  let isFrom1904 = false
  await visitXml(find('xl/workbook.xml'), (token) => {
    if (token.text === 'workbookPr' && token.kind === 'open')
      isFrom1904 = /^(?:1|true)$/.test(attribute(token, 'date1904') ?? '')
    if (token.kind !== 'open' || token.text !== 'sheet' || attribute(token, 'state') === 'veryHidden') return
    const target = targets.get(
      /[\s:]r?:?id\s*=\s*["']([^"']*)/.exec(token.attributes.replace(/sheetId\s*=/, ''))?.[1] ?? '',
    )
    const part =
      target === undefined ? undefined : find(target.startsWith('/') ? target.slice(1) : `xl/${target}`)
    if (part === undefined) return
    noteSheet(part)
    const records = () => {
      shown ??= Promise.all([
        sharedStrings(find('xl/sharedStrings.xml')),
        stylesOf(find('xl/styles.xml'), isFrom1904),
      ])
      return sheetRecords(part, shown)
    }
    const sample = async () => {
      const found: TableRecord[] = []
      for await (const record of records()) if (!addToSample(found, record, part)) break
      return found
    }
    sheets.push({ name: attribute(token, 'name') ?? '', part, sample, records })
  })
  return sheets
}

export async function findSheet(parts: readonly ZipPart[], sheet: string): Promise<ZipPart | undefined> {
  const sheets = await xlsxSheets((name) => parts.find((part) => part.name === name))
  return sheets.find(({ name }) => name === sheet)?.part
}

async function sharedStrings(part: ZipPart | undefined): Promise<readonly string[]> {
  const strings: string[] = []
  let text = ''
  let [isText, isPhonetic] = [false, false]
  await visitXml(part, (token, budget) => {
    if (token.kind === 'text') {
      if (isText && !isPhonetic) text = budget.cell(text + token.text)
    } else if (token.text === 't') isText = token.kind === 'open' && !token.isEmpty
    else if (token.text === 'rPh') isPhonetic = token.kind === 'open'
    else if (token.text === 'si' && (token.kind === 'close' || token.isEmpty)) {
      // Each is an object of its own, also an empty one, and lives as long as the sheet is read.
      budget.take('cells', 8)
      budget.take('characters', text.length)
      strings.push(unescaped(text))
      text = ''
    }
  })
  return strings
}

/** `_x000D_` stands for the character of that code (22.9.2.19, ST_Xstring). */
const unescaped = (text: string): string =>
  text.replace(/_x([\da-f]{4})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))

/** Formats of zeros alone, in groups or not, put zeros in front. */
const ZEROS = /^(?:\[\$-\w+\])?([0\\ "-]{1,64})(?:;|$)/
const NO_STYLE: Style = { digits: 0, show: () => null }

async function stylesOf(part: ZipPart | undefined, isFrom1904: boolean): Promise<readonly Style[]> {
  const styleOf = (code = ''): Style => ({
    digits: ZEROS.exec(code)?.[1]?.replace(/[^0]/g, '').length ?? 0,
    show: showNumber(code, isFrom1904),
  })
  const formats = new Map(Object.entries(BUILT_IN).map(([id, code]) => [id, styleOf(code)]))
  const styles: Style[] = []
  let isCell = false
  await visitXml(part, (token) => {
    if (token.text === 'cellXfs') isCell = token.kind === 'open'
    if (token.kind !== 'open' || Math.max(styles.length, formats.size) === MOST_STYLES) return
    const id = attribute(token, 'numFmtId') ?? ''
    if (token.text === 'numFmt') formats.set(id, styleOf(attribute(token, 'formatCode')))
    else if (token.text === 'xf' && isCell) styles.push(formats.get(id) ?? NO_STYLE)
  })
  return styles
}

/** The index of the column of a place such as "AB12"; undefined without a place. */
export function columnOf(place: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(place ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

async function* sheetRecords(part: ZipPart, loading: Promise<Shown>): AsyncGenerator<TableRecord> {
  const [texts, styles] = await loading
  const { budget } = part
  let cells: string[] = []
  let lost: number[] = []
  let shown = new Map<number, string>()
  let line = 0
  let [column, type, style, text, isValue] = [0, '', 0, '', false]
  const read = (token: XmlToken): void => {
    if (token.kind === 'text') {
      if (isValue) text = budget.cell(text + token.text)
    } else if (token.text === 'row') {
      if (token.kind !== 'open') return
      const number = Number(attribute(token, 'r') ?? line + 1)
      if (!(number > line)) throw new ListFault('the workbook is damaged: it has rows out of order')
      line = number
      ;[cells, lost, shown, column] = [[], [], new Map(), -1]
    } else if (token.text === 'c') {
      if (token.kind === 'open') {
        column = columnOf(attribute(token, 'r')) ?? column + 1
        if (column >= MOST_COLUMNS)
          throw new ListFault('the workbook has a cell beyond the last column of a sheet')
        type = attribute(token, 't') ?? 'n'
        style = type === 'n' ? Number(attribute(token, 's') ?? 0) : 0
        text = ''
      } else if (text !== '') {
        const number = type === 'n' ? numberCell(text, styles[style]?.digits) : null
        if (number?.isLost === true) lost.push(column)
        const as = number === null ? null : (styles[style]?.show(Number(text)) ?? null)
        if (as !== null) shown.set(column, budget.cell(as))
        while (cells.length < column) cells.push('')
        if (type === 's') cells[column] = texts[Number(text)] ?? ''
        else if (type === 'b') cells[column] = /^(?:1|true)$/.test(text) ? 'TRUE' : 'FALSE'
        else cells[column] = number?.text ?? unescaped(text)
      }
    } else if (token.text === 'v' || token.text === 't') isValue = token.kind === 'open' && !token.isEmpty
  }
  for await (const tokens of scanXml(part)) {
    for (const token of tokens) {
      read(token)
      const isRow = token.kind === 'close' && token.text === 'row'
      if (isRow && cells.length > 0) yield { cells: budget.row(cells), line, lost, shown }
    }
  }
}
