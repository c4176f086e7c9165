import { MOST_COLUMNS } from '../budget.ts'
import { type CellRange, columnOf, rangeOf } from './cell-range.ts'
import { attribute, visitXml } from './scan-xml.ts'
import type { ZipPart } from './unzip.ts'

export interface SheetRanges {
  /** The last column and row with a cell, even an empty one. */
  readonly lastColumn: number
  readonly lastRow: number
  readonly filled: ReadonlySet<number>
  readonly filter: CellRange | null
  readonly tables: readonly SheetTable[]
}

export interface SheetTable {
  readonly part: ZipPart
  readonly range: CellRange | null
  /** Lower case, as Excel compares them. */
  readonly names: readonly string[]
  readonly lastId: number
  /** True if nothing in it counts on its width or comes from elsewhere. */
  readonly mayGrow: boolean
}

export async function rangesOf(sheet: ZipPart, parts: readonly ZipPart[]): Promise<SheetRanges> {
  let [lastColumn, lastRow, column] = [-1, 0, -1]
  let filter: CellRange | null = null
  let isCustom = false
  const { budget } = sheet
  const ids = budget.map<true>()
  const filled = new Set<number>()
  await visitXml(sheet, (token) => {
    const { kind, text } = token
    if (text === 'customSheetViews') isCustom = kind === 'open' && !token.isEmpty
    if (kind !== 'open') return
    if (text === 'row') {
      column = -1
      lastRow = Number(attribute(token, 'r') ?? lastRow + 1)
    } else if (text === 'c') {
      column = columnOf(attribute(token, 'r')) ?? column + 1
      lastColumn = Math.max(lastColumn, column)
    } else if (text === 'v' || text === 'is' || text === 'f') filled.add(Math.min(column, MOST_COLUMNS))
    else if (text === 'autoFilter' && !isCustom) filter = rangeOf(attribute(token, 'ref'))
    else if (text === 'tablePart') ids.set(attribute(token, 'id') ?? '', true)
  })
  const tables = []
  for (const part of await partsBehind(sheet, ids, parts)) tables.push(await tableOf(part, parts))
  return { lastColumn, lastRow, filled, filter, tables }
}

/** The parts that a part names by the ids of their relations. */
async function partsBehind(from: ZipPart, ids: ReadonlyMap<string, true>, parts: readonly ZipPart[]) {
  const targets = from.budget.list<string>()
  const relations = parts.find(({ name }) => name === relationsOf(from.name))
  if (ids.size > 0)
    await visitXml(relations, (token) => {
      if (token.kind !== 'open' || token.text !== 'Relationship') return
      if (ids.has(attribute(token, 'Id') ?? ''))
        targets.push(from.budget.keep(attribute(token, 'Target') ?? ''))
    })
  const names = new Set(targets.map((target) => new URL(target, `file:///${from.name}`).pathname.slice(1)))
  return parts.filter(({ name }) => names.has(name))
}

/** `xl/tables/table1.xml` has its relations in `xl/tables/_rels/table1.xml.rels`. */
const relationsOf = (name: string): string => name.replace(/([^/]+)$/, '_rels/$1.rels')

async function tableOf(part: ZipPart, parts: readonly ZipPart[]): Promise<SheetTable> {
  let range: CellRange | null = null
  const names = part.budget.list<string>()
  let lastId = 0
  // A table with relations of its own is filled by a query.
  let mayGrow = !parts.some(({ name }) => name === relationsOf(part.name))
  let [title, formula] = ['', '']
  await visitXml(part, (token) => {
    const { kind, text } = token
    if (text === 'calculatedColumnFormula') {
      if (kind === 'close' && countsColumns(formula, title)) mayGrow = false
      formula = ''
    } else if (kind === 'text') formula += text
    if (kind !== 'open') return
    const has = (name: string) => (attribute(token, name) ?? '') !== ''
    if (text === 'table') {
      range = rangeOf(attribute(token, 'ref'))
      title = attribute(token, 'displayName') ?? attribute(token, 'name') ?? ''
      const rows = [attribute(token, 'headerRowCount') ?? '1', attribute(token, 'totalsRowCount') ?? '0']
      if (has('tableType') || rows.join() !== '1,0') mayGrow = false
    } else if (text === 'tableColumn') {
      names.push(part.budget.keep((attribute(token, 'name') ?? '').toLowerCase()))
      lastId = Math.max(lastId, Number(attribute(token, 'id') ?? 0))
      if (has('queryTableFieldId')) mayGrow = false
    } else if (text === 'xmlColumnPr') mayGrow = false
  })
  return { part, range, names, lastId, mayGrow: mayGrow && range !== null }
}

/** Whether a formula means all columns of the table: `Table1`, `Table1[#Data]`, `Table1[#This Row]`, not `Table1[Name]`. */
function countsColumns(formula: string, table: string): boolean {
  const plain = formula.replace(/"[^"]*"/g, '').toLowerCase()
  const mentions = plain.split(table.toLowerCase()).slice(1)
  const isWhole = (behind: string) => !/^\[(?:\[#[^\]]*\],)?(?:\[?[^[\]#])/.test(behind)
  return mentions.some(isWhole) || /\bcolumns?\(/.test(plain)
}

export interface ListRange {
  readonly isNamed: boolean
  readonly headerLine: number
  readonly checked: readonly number[]
  readonly headings: readonly string[]
}

/**
 * Why results must not be put behind the last column of the sheet: a sort would move values without them. Null if they may.
 */
export function whyApart(
  { lastColumn, filled, filter, tables }: SheetRanges,
  list: ListRange,
): string | null {
  const { headerLine, checked, headings, isNamed } = list
  const isOver = (range: CellRange | null) =>
    range !== null && range.top === headerLine && range.left <= Math.min(...checked)
  if (filter !== null && filter.bottom >= headerLine && !isOver(filter))
    return 'the filter of the sheet is not that of the list'
  const [table, ...others] = tables
  if (table === undefined) return filter === null && hasGap() ? GAP : null
  if (others.length > 0) return 'the sheet has several tables'
  if (!isNamed || !isOver(table.range)) return 'the table of the sheet is not that of the list'
  if (!table.mayGrow) return 'the table of the list has a query, totals or formulas that count on its width'
  if (table.range?.right !== lastColumn) return 'other cells stand beside the table of the list'
  return headings.some((name) => table.names.includes(name.toLowerCase()))
    ? 'the table has columns of the same names'
    : null

  /** Without a filter a spreadsheet sorts the cells around the value, up to the first empty column. */
  function hasGap(): boolean {
    for (let column = Math.min(...checked); column <= lastColumn; column += 1)
      if (!filled.has(column)) return true
    return false
  }
}

const GAP = 'an empty column stands beside the list, and a sort ends there'
