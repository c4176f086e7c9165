/** Sheets of Excel workbooks (ECMA-376, part 1, SpreadsheetML). */
import type { TableRecord } from '../input-row.ts'
import { ListFault } from '../list-fault.ts'
import { MOST_COLUMNS, numberCell } from './number-cell.ts'
import { attribute, scanXml } from './scan-xml.ts'
import { textOf, type ZipPart } from './unzip.ts'

/** Characters of all shared texts, which are held in memory. */
const MOST_SHARED = 128 * 1024 * 1024
const MOST_STYLES = 65_536

export interface Sheet {
  readonly name: string
  readonly part: ZipPart
  records(): AsyncGenerator<TableRecord>
}

/** Texts by their number, and by the number of its style how many digits a number shows at least. */
type Shown = readonly [texts: readonly string[], digits: readonly number[]]
type FindPart = (name: string) => ZipPart | undefined

export async function xlsxSheets(find: FindPart): Promise<readonly Sheet[]> {
  const targets = new Map<string, string>()
  for await (const token of scan(find('xl/_rels/workbook.xml.rels'))) {
    if (token.kind === 'open' && token.text === 'Relationship')
      targets.set(attribute(token, 'Id') ?? '', attribute(token, 'Target') ?? '')
  }
  const sheets: Sheet[] = []
  let shown: Promise<Shown> | undefined
  for await (const token of scan(find('xl/workbook.xml'))) {
    if (token.kind !== 'open' || token.text !== 'sheet' || attribute(token, 'state') === 'veryHidden')
      continue
    const target = targets.get(
      /[\s:]r?:?id\s*=\s*["']([^"']*)/.exec(token.attributes.replace(/sheetId\s*=/, ''))?.[1] ?? '',
    )
    const part =
      target === undefined ? undefined : find(target.startsWith('/') ? target.slice(1) : `xl/${target}`)
    if (part === undefined) continue
    sheets.push({
      name: attribute(token, 'name') ?? '',
      part,
      records: () => {
        shown ??= Promise.all([
          sharedStrings(find('xl/sharedStrings.xml')),
          leastDigits(find('xl/styles.xml')),
        ])
        return sheetRecords(part, shown)
      },
    })
  }
  return sheets
}

export async function findSheet(parts: readonly ZipPart[], sheet: string): Promise<ZipPart | undefined> {
  const sheets = await xlsxSheets((name) => parts.find((part) => part.name === name))
  return sheets.find(({ name }) => name === sheet)?.part
}

const scan = (part: ZipPart | undefined) => (part === undefined ? [] : scanXml(textOf(part)))

async function sharedStrings(part: ZipPart | undefined): Promise<readonly string[]> {
  const strings: string[] = []
  let size = 0
  let text = ''
  let [isText, isPhonetic] = [false, false]
  for await (const token of scan(part)) {
    if (token.kind === 'text') {
      if (isText && !isPhonetic) text += token.text
    } else if (token.text === 't') isText = token.kind === 'open' && !token.isEmpty
    else if (token.text === 'rPh') isPhonetic = token.kind === 'open'
    else if (token.text === 'si' && (token.kind === 'close' || token.isEmpty)) {
      strings.push(unescaped(text))
      // An empty text takes memory too.
      size += text.length + 8
      if (size > MOST_SHARED) throw new ListFault('the texts of the workbook take more than 128 MB')
      text = ''
    }
  }
  return strings
}

/** `_x000D_` stands for the character of that code (22.9.2.19, ST_Xstring). */
const unescaped = (text: string): string =>
  text.replace(/_x([\da-f]{4})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))

/** Formats of zeros alone, in groups or not, put zeros in front. */
async function leastDigits(part: ZipPart | undefined): Promise<readonly number[]> {
  const zeros = new Map<string, number>()
  const digits: number[] = []
  let isCell = false
  for await (const token of scan(part)) {
    if (token.text === 'cellXfs') isCell = token.kind === 'open'
    if (token.kind !== 'open' || Math.max(digits.length, zeros.size) === MOST_STYLES) continue
    const id = attribute(token, 'numFmtId') ?? ''
    if (token.text === 'numFmt') {
      const [, code = ''] =
        /^(?:\[\$-\w+\])?([0\\ "-]{1,64})(?:;|$)/.exec(attribute(token, 'formatCode') ?? '') ?? []
      zeros.set(id, code.replace(/[^0]/g, '').length)
    } else if (token.text === 'xf' && isCell) digits.push(zeros.get(id) ?? 0)
  }
  return digits
}

/** The index of the column of a place such as "AB12"; undefined without a place. */
export function columnOf(place: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(place ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

async function* sheetRecords(part: ZipPart, loading: Promise<Shown>): AsyncGenerator<TableRecord> {
  const [texts, digits] = await loading
  let cells: string[] = []
  let lost: number[] = []
  let line = 0
  let [column, type, style, text, isValue] = [0, '', 0, '', false]
  for await (const token of scanXml(textOf(part))) {
    if (token.kind === 'text') {
      if (isValue) text += token.text
    } else if (token.text === 'row') {
      if (token.kind === 'open') {
        const number = Number(attribute(token, 'r') ?? line + 1)
        if (!(number > line)) throw new ListFault('the workbook is damaged: it has rows out of order')
        line = number
        ;[cells, lost, column] = [[], [], -1]
      }
      if (token.kind === 'close' && cells.length > 0) yield { cells, line, lost }
    } else if (token.text === 'c') {
      if (token.kind === 'open') {
        column = columnOf(attribute(token, 'r')) ?? column + 1
        if (column >= MOST_COLUMNS)
          throw new ListFault('the workbook has a cell beyond the last column of a sheet')
        type = attribute(token, 't') ?? 'n'
        style = type === 'n' ? Number(attribute(token, 's') ?? 0) : 0
        text = ''
      } else if (text !== '') {
        const number = type === 'n' ? numberCell(text, digits[style]) : null
        if (number?.isLost === true) lost.push(column)
        while (cells.length < column) cells.push('')
        cells[column] = type === 's' ? (texts[Number(text)] ?? '') : (number?.text ?? unescaped(text))
      }
    } else if (token.text === 'v' || token.text === 't') isValue = token.kind === 'open' && !token.isEmpty
  }
}
