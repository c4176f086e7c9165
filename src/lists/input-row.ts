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

export interface InputRow {
  readonly line: number
  /** The cells to repeat in the output, under the header of the list. */
  readonly cells: readonly string[]
  readonly json?: Readonly<Record<string, unknown>>
  readonly leftOut?: LeftOut
  /** The cell to check; null if the row has none, undefined if the row cannot be read. */
  readonly value: unknown
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
  /** Which of them holds the values, from 0. */
  readonly column: number
  readonly rows: AsyncIterable<InputRow>
}

export interface ReadListOptions extends DecodeOptions {
  readonly check: ListCheck
  /** Guessed from the text if absent. */
  readonly format?: InputFormat | undefined
  /** Name of a column, or its number from 1. */
  readonly column?: string | undefined
  /** Name of a sheet, or its number from 1. */
  readonly sheet?: string | undefined
}
