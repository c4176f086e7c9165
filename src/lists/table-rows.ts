import { CHECKS } from 'format-checker-checks'
import { digitsOfNotation } from 'format-checker-checks/internal/text/scientific-notation'
import { FORMULA } from '../values/csv-line.ts'
import { findValueColumn, type ValueColumn } from './columns.ts'
import type { CheckedColumns, InputCell, InputRow, LeftOut, TableRecord, WantedColumn } from './input-row.ts'
import {
  isRoundedAccount,
  type Joining,
  joinedValue,
  joiningOf,
  likelyCountry,
  withShownPrefix,
} from './join-cells.ts'
import { ListFault } from './list-fault.ts'
import { readCell } from './read-cell.ts'
import { type ListCheck, mayBeValue } from './value-looks.ts'

export interface Table {
  readonly header: readonly string[]
  readonly isNamed: boolean
  readonly columns: CheckedColumns
  readonly doubts: readonly string[]
  rowOf(record: TableRecord): InputRow
}

const TOTALS =
  /^(?:razem|suma|og[oó]łem|podsumowanie|(?:grand |sub)?total|totals|sum|summe|(?:gesamt|zwischen)summe|gesamt|insgesamt):?$/iu
/** An amount of money; no identifier looks like one. */
const AMOUNT = /^-?[0-9][0-9 .,'\u00a0\u202f]*[.,][0-9]{2}$/

/** `isUnsure` is true for cells that a guessed encoding may misread. */
export function tableOf(
  first: TableRecord,
  below: readonly TableRecord[],
  wanted: WantedColumn & { readonly others?: readonly WantedColumn[]; readonly isWorkbook?: boolean },
  isUnsure: (cell: string) => boolean = () => false,
): Table {
  const sample = below.map(({ cells }) => cells)
  const find = ({ check, column }: WantedColumn) => {
    const found = findValueColumn(check, first.cells, sample, column)
    return { check, type: check.id, ...found, ...joiningFor(check, found, first.cells, sample) }
  }
  const columns = [find(wanted), ...(wanted.others ?? []).map(find)] as const
  const isNamed = columns.some((column) => column.isNamed)
  const width = first.cells.length
  const leftOut = ({ cells, lost = [] }: TableRecord, index: number): LeftOut | null => {
    const cell = cells[index] ?? ''
    const word = cell.trim()
    // An unquoted delimiter inside a cell shifts the cells behind it: the value may be under another heading. No cell of a
    // workbook moves.
    if (isNamed && index > 0 && !wanted.isWorkbook && isFilled(cells.slice(width))) return 'too_many_cells'
    const row = cells.join('|')
    if (/[-=_]{3}/.test(row) && !/[^\s\-+=_|]/.test(row)) return 'rule'
    const label = cells.find((each) => each.trim() !== '')?.trim() ?? ''
    if (TOTALS.test(word) || (TOTALS.test(label) && (word === '' || AMOUNT.test(word)))) return 'totals_row'
    if (lost.includes(index)) return 'digits_lost'
    return isUnsure(cell) ? 'encoding_unknown' : null
  }
  return {
    header: isNamed
      ? shownIn(first)
      : first.cells.map((_, at) => (width === 1 ? 'value' : `column_${at + 1}`)),
    isNamed,
    columns,
    doubts: columns.flatMap(({ doubt }) => doubt),
    rowOf(record) {
      // The digits of a numeric cell become its value, so that the output shows what was checked.
      const { line } = record
      const cells = shownIn(record, columns)
      const checked = columns.map(({ check, type, index, joining }) => {
        const code = leftOut(record, index)
        if (code !== null) return { type, leftOut: code, value: null }
        const text = record.cells[index]
        const whole = text === undefined ? null : withShownPrefix(asShown(text), record.shown?.get(index))
        return cellWith(check, whole === null ? null : joinedValue(whole, record.cells, joining))
      })
      const kept = isNamed && !isFilled(cells.slice(width)) ? cells.slice(0, width) : cells
      return rowWith({ line, cells: kept }, checked)
    },
  }
}

/** How the values of a column are joined, and what to say of it. Throws {@link ListFault} where only a person can say. */
function joiningFor(
  check: ListCheck,
  { index, countryAt, isNamed, isWanted }: ValueColumn,
  first: readonly string[],
  below: readonly (readonly string[])[],
): { readonly joining: Joining | null; readonly doubt: readonly string[] } {
  const nameOf = (at: number) => `${at + 1}${isNamed ? ` "${first[at]?.trim().slice(0, 40)}"` : ''}`
  const rows = isNamed ? below : [first, ...below]
  const joining: Joining | null =
    countryAt === undefined ? joiningOf(check, index, first, rows) : { kind: 'country', at: countryAt }
  if (joining?.kind === 'country')
    return { joining, doubt: [`column ${nameOf(joining.at)} is put in front of column ${nameOf(index)}`] }
  if (joining !== null)
    return { joining, doubt: [`PL is put in front of the account numbers in column ${nameOf(index)}`] }
  const country = likelyCountry(check, index, rows, first.length)
  if (country < 0) return { joining, doubt: [] }
  const words = `no value has a country prefix; column ${nameOf(country)} may hold it`
  const joined = `${country + 1}+${index + 1}`
  if (!isWanted)
    throw new ListFault(
      `${words}: join the two with --column ${joined}, or check column ${index + 1} as it is with --column ${index + 1}`,
      { option: 'column', of: first, joined },
    )
  return { joining, doubt: [`${words} (--column ${joined} joins them)`] }
}

function shownIn(
  { cells, shown }: TableRecord,
  checked: Table['columns'] | readonly [] = [],
): readonly string[] {
  if (shown === undefined || shown.size === 0) return cells
  return cells.map((cell, at) => (checked.some(({ index }) => index === at) ? cell : (shown.get(at) ?? cell)))
}

/** Leaves out a text that cannot be a value of the type, or no longer is. */
export function cellWith(check: ListCheck, value: unknown): InputCell {
  const cell = readCell(value)
  const leftOut = cell.ok ? leftOutOf(check, cell.value) : undefined
  return { type: check.id, ...(leftOut === undefined ? { value } : { leftOut, value: null }) }
}

function leftOutOf(check: ListCheck, value: string): LeftOut | undefined {
  if (digitsOfNotation(value) === null || isRoundedAccount(check, value)) return 'digits_lost'
  if (!mayBeValue(check, value)) return 'not_a_value'
  const { hint } = CHECKS[check.id](value).details
  return hint === 'several_values' || hint === 'digits_lost' ? hint : undefined
}

/**
 * Without the ="00123" or '00123' that keeps a spreadsheet from reading a number, and the apostrophe that keeps it from
 * running a formula.
 */
export const asShown = (cell: string): string =>
  /^\s*(?:="([^"]*)"|'([^']*)')\s*$/
    .exec(cell)
    ?.slice(1)
    .find((part) => part !== undefined) ??
  (cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell)

const isFilled = (cells: readonly string[]): boolean => cells.some((cell) => cell.trim() !== '')

export const rowWith = (
  row: Pick<InputRow, 'line' | 'cells' | 'text'>,
  [first, ...others]: readonly InputCell[],
): InputRow => ({ ...row, ...(first as InputCell), ...(others.length === 0 ? {} : { others }) })

export async function* rowsOf(
  records: AsyncIterable<TableRecord>,
  rowOf: (record: TableRecord) => InputRow,
  skip = 0,
): AsyncGenerator<InputRow> {
  let left = skip
  for await (const record of records) {
    if (left > 0) left -= 1
    else yield rowOf(record)
  }
}
