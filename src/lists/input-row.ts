import type { CheckType } from 'format-checker-checks/verdict'
import type { Budget } from './budget.ts'
import type { DecodedText, DecodeOptions, TextEncodingInUse } from './decode-text.ts'
import type { ListCheck } from './value-looks.ts'

export const INPUT_FORMATS = ['text', 'csv', 'jsonl', 'workbook'] as const
export type InputFormat = (typeof INPUT_FORMATS)[number]

export interface TableRecord {
  readonly cells: readonly string[]
  /** From 1, of the file or the sheet. */
  readonly line: number
  /** Indices of number cells that no longer have all of their digits. */
  readonly lost?: readonly number[]
  /** By index, what number cells show where it is not the number: a date, an amount. */
  readonly shown?: ReadonlyMap<number, string>
}

/** Why a cell is not sent, as its row tells; the codes of a value itself are in `read-cell.ts`. */
export type LeftOut =
  | 'too_many_cells'
  | 'totals_row'
  | 'rule'
  | 'not_a_value'
  | 'several_values'
  | 'digits_lost'
  | 'encoding_unknown'

export interface InputCell {
  readonly type: CheckType
  readonly leftOut?: LeftOut
  /** Null if the row has no value, undefined if the row is not JSON. */
  readonly value: unknown
}

export interface InputRow extends InputCell {
  readonly line: number
  /** The cells to repeat in the output, under the header of the list. */
  readonly cells: readonly string[]
  /** Of JSON Lines: the object as it was written. */
  readonly text?: string
  /** Of further checked columns. */
  readonly others?: readonly InputCell[]
}

export const cellsOf = (row: InputRow): readonly InputCell[] => [row, ...(row.others ?? [])]

export type CheckedColumns = readonly [CheckedColumn, ...CheckedColumn[]]

export interface CheckedColumn {
  readonly index: number
  readonly type: CheckType
  /** Why it was chosen, and the other columns that may be meant; absent if a person named it. */
  readonly why?: string | undefined
  readonly others?: readonly string[]
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
  /** Names of the cells: from the input if `isNamed`, else made up. */
  readonly header: readonly string[]
  readonly isNamed: boolean
  /**
   * Members of JSON Lines that appear too late for the header. The set fills while the rows are read; `withLate`, a row has
   * their cells behind those of the header.
   */
  readonly late?: ReadonlySet<string>
  readonly headerLine: number
  readonly columns: CheckedColumns
  /** What a person should know before anything is paid: joined columns, and other columns that may be meant. */
  readonly doubts?: readonly string[]
  readonly rows: AsyncIterable<InputRow>
}

export interface WantedColumn {
  readonly check: ListCheck
  readonly column?: string | undefined
}

export interface ReadListOptions extends DecodeOptions, WantedColumn {
  readonly others?: readonly WantedColumn[]
  /** Guessed from the text if absent. */
  readonly format?: InputFormat | undefined
  readonly sheet?: string | undefined
  /** Rows of JSON Lines have the cells of late members; for a list that is read whole before anything is bought. */
  readonly withLate?: boolean | undefined
  /** Bytes of the file, if known. */
  readonly size?: number | undefined
  /** Limits what reading the list may cost; by default a new budget without a limit on time. */
  readonly budget?: Budget | undefined
}

/** The list as it is before its columns are recognized. */
export const listOf = (
  format: InputFormat,
  { encoding }: Pick<DecodedText, 'encoding'>,
  { id }: ListCheck,
) => ({
  format,
  encoding,
  sheet: null,
  delimiter: ',',
  above: { text: '', lines: 0 },
  header: ['value'] as readonly string[],
  isNamed: true,
  headerLine: 1,
  columns: [{ index: 0, type: id }] as const,
})
