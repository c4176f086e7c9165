/** Sheets of Excel workbooks (ECMA-376, part 1, SpreadsheetML). */
import { type Budget, MOST_COLUMNS } from '../budget.ts'
import type { TableRecord } from '../input-row.ts'
import { ListFault } from '../list-fault.ts'
import { columnOf } from './cell-range.ts'
import { numberCell } from './number-cell.ts'
import { BUILT_IN, LONGEST_FORMAT, type ShowNumber, showNumber } from './number-format.ts'
import { attribute, scanXml, visitXml, type XmlToken } from './scan-xml.ts'
import { addToSample, noteSheet, type Sheet } from './sheet.ts'
import type { ZipPart } from './unzip.ts'

const MOST_STYLES = 65_536
/** Each sheet is one, and a dozen parts beside them. */
const MOST_RELATIONS = 65_536
/** Bytes of a format for each of its signs: each may be a part of its own. */
const SIGN_COST = 64

/** How many digits a number has at least, and what its cell shows. */
interface Style {
  readonly digits: number
  readonly show: ShowNumber
}
/** Texts by their number, and the styles of cells by theirs. */
type Shown = readonly [texts: readonly string[], styles: readonly Style[]]
type FindPart = (name: string) => ZipPart | undefined

const WORKBOOK = 'xl/workbook.xml'

export async function xlsxSheets(find: FindPart, budget: Budget): Promise<readonly Sheet[]> {
  await requireOneWorkbook(find('_rels/.rels'))
  const targets = budget.map<string>()
  await visitXml(find('xl/_rels/workbook.xml.rels'), (token) => {
    if (token.kind !== 'open' || token.text !== 'Relationship') return
    if (targets.size === MOST_RELATIONS)
      throw new ListFault('the workbook has more than 65,536 relations; save it as "CSV UTF-8"')
    const id = attribute(token, 'Id') ?? ''
    // Programs differ in which of them they follow.
    if (targets.has(id)) throw new ListFault('the workbook has two relations of one id')
    targets.set(id, budget.keep(attribute(token, 'Target') ?? ''))
  })
  const sheets = budget.list<Sheet>()
  let shown: Promise<Shown> | undefined
  let isFrom1904 = false
  await visitXml(find(WORKBOOK), (token) => {
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
        sharedStrings(find('xl/sharedStrings.xml'), budget),
        stylesOf(find('xl/styles.xml'), budget, isFrom1904),
      ])
      return sheetRecords(part, shown)
    }
    const sample = async () => {
      const found: TableRecord[] = []
      for await (const record of records()) if (!addToSample(found, record, part)) break
      return found
    }
    sheets.push({ name: budget.keep(attribute(token, 'name') ?? ''), part, sample, records })
  })
  return sheets
}

/** Throws {@link ListFault} if the archive names another workbook than the one that is read, or a second one. */
async function requireOneWorkbook(relations: ZipPart | undefined): Promise<void> {
  if (relations === undefined) return
  let [count, target] = [0, '']
  await visitXml(relations, (token) => {
    if (token.kind !== 'open' || !attribute(token, 'Type')?.endsWith('/officeDocument')) return
    count += 1
    target = (attribute(token, 'Target') ?? '').replace(/^\.?\//, '')
  })
  if (count !== 1 || target !== WORKBOOK)
    throw new ListFault(
      'the workbook must have one relation to xl/workbook.xml, and no other, in _rels/.rels',
    )
}

export async function findSheet(
  parts: readonly ZipPart[],
  sheet: string,
  budget: Budget,
): Promise<ZipPart | undefined> {
  const sheets = await xlsxSheets((name) => parts.find((part) => part.name === name), budget)
  return sheets.find(({ name }) => name === sheet)?.part
}

async function sharedStrings(part: ZipPart | undefined, budget: Budget): Promise<readonly string[]> {
  const strings = budget.list<string>()
  let text = ''
  let [isText, isPhonetic] = [false, false]
  await visitXml(part, (token) => {
    if (token.kind === 'text') {
      if (isText && !isPhonetic) text = budget.cell(text + token.text)
    } else if (token.text === 't') isText = token.kind === 'open' && !token.isEmpty
    else if (token.text === 'rPh') isPhonetic = token.kind === 'open'
    else if (token.text === 'si' && (token.kind === 'close' || token.isEmpty)) {
      // Each is an object of its own, also an empty one, and lives as long as the sheet is read.
      budget.take('cells', 8)
      budget.take('characters', text.length)
      strings.push(budget.keep(unescaped(text)))
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

async function stylesOf(
  part: ZipPart | undefined,
  budget: Budget,
  isFrom1904: boolean,
): Promise<readonly Style[]> {
  const styleOf = (code = ''): Style => ({
    digits: ZEROS.exec(code)?.[1]?.replace(/[^0]/g, '').length ?? 0,
    show: showNumber(code, isFrom1904),
  })
  const formats = budget.map<Style>()
  for (const [id, code] of Object.entries(BUILT_IN)) formats.set(id, styleOf(code))
  const styles = budget.list<Style>()
  let isCell = false
  await visitXml(part, (token) => {
    if (token.text === 'cellXfs') isCell = token.kind === 'open'
    if (token.kind !== 'open' || Math.max(styles.length, formats.size) === MOST_STYLES) return
    const id = attribute(token, 'numFmtId') ?? ''
    if (token.text === 'numFmt') {
      const code = attribute(token, 'formatCode') ?? ''
      budget.take('kept', SIGN_COST * Math.min(code.length, LONGEST_FORMAT))
      formats.set(id, styleOf(code))
    }
    if (token.text === 'xf' && isCell) styles.push(formats.get(id) ?? NO_STYLE)
  })
  return styles
}

async function* sheetRecords(part: ZipPart, loading: Promise<Shown>): AsyncGenerator<TableRecord> {
  const [texts, styles] = await loading
  const { budget } = part
  let cells: string[] = []
  let lost: number[] = []
  let shown = new Map<number, string>()
  let line = 0
  let [column, type, style, text, isValue, characters] = [0, '', 0, '', false, 0]
  const read = (token: XmlToken): void => {
    if (token.kind === 'text') {
      if (isValue) text = budget.cell(text + token.text)
    } else if (token.text === 'row') {
      if (token.kind !== 'open') return
      const number = Number(attribute(token, 'r') ?? line + 1)
      if (!(number > line)) throw new ListFault('the workbook is damaged: it has rows out of order')
      line = number
      ;[cells, lost, shown, column, characters] = [[], [], new Map(), -1, 0]
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
        characters = budget.rowOf(characters + (cells[column]?.length ?? 0) + (as?.length ?? 0))
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
