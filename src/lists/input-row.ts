import type { CheckType } from '../checks/verdict.ts'
import type { ListCheck } from './columns.ts'
import type { DecodeOptions, TextEncodingInUse } from './decode-text.ts'

export const INPUT_FORMATS = ['text', 'csv', 'jsonl', 'workbook'] as const
export type InputFormat = (typeof INPUT_FORMATS)[number]

export interface TableRecord {
  readonly cells: readonly string[]
  /** From 1, of the file or the sheet. */
  readonly line: number
  /** Indices of number cells that no longer have all of their digits. */
  readonly lost?: readonly number[]
}

/** Why a row has no value to buy, beside the codes of a value itself. */
export type LeftOut =
  | 'too_many_cells'
  | 'totals_row'
  | 'rule'
  | 'not_a_value'
  | 'digits_lost'
  | 'encoding_unknown'

/** A cell to check. */
export interface InputCell {
  readonly type: CheckType
  readonly leftOut?: LeftOut
  /** Null if the row has none, undefined if the row cannot be read. */
  readonly value: unknown
}

/** A row with the cell of the first column that is checked. */
export interface InputRow extends InputCell {
  readonly line: number
  /** The cells to repeat in the output, under the header of the list. */
  readonly cells: readonly string[]
  readonly json?: Readonly<Record<string, unknown>>
  /** Those of the further columns. */
  readonly others?: readonly InputCell[]
}

export const cellsOf = (row: InputRow): readonly InputCell[] => [row, ...(row.others ?? [])]

/** The columns that are checked; `index` is that of the header. */
export type CheckedColumns = readonly [CheckedColumn, ...CheckedColumn[]]

export interface CheckedColumn {
  readonly index: number
  readonly type: CheckType
}

export interface ListInput {
  readonly format: InputFormat
  /** Null for a workbook. */
  readonly encoding: TextEncodingInUse | null
  readonly sheet: string | null
  readonly workbook?: Uint8Array<ArrayBuffer>
  readonly delimiter: string
  /** The text of the lines above the headings, and how many there are. */
  readonly above: { readonly text: string; readonly lines: number }
  /** Names of the cells; `isNamed` if the input itself has them. */
  readonly header: readonly string[]
  readonly isNamed: boolean
  /** The line of the headings, from 1. */
  readonly headerLine: number
  readonly columns: CheckedColumns
  readonly rows: AsyncIterable<InputRow>
}

export interface WantedColumn {
  readonly check: ListCheck
  /** Name of a column, or its number from 1. */
  readonly column?: string | undefined
}

export interface ReadListOptions extends DecodeOptions, WantedColumn {
  /** Further columns to check; each has a name or number. */
  readonly others?: readonly WantedColumn[]
  /** Guessed from the text if absent. */
  readonly format?: InputFormat | undefined
  /** Name of a sheet, or its number from 1. */
  readonly sheet?: string | undefined
}
