import type { JsonObject } from '../../json.ts'

/** How a list is written. */
export const INPUT_FORMATS = ['text', 'csv', 'jsonl'] as const
export type InputFormat = (typeof INPUT_FORMATS)[number]

/** One row of the input. */
export interface InputRow {
  /** The cells to repeat in the output, under the header of the list. */
  readonly cells: readonly string[]
  /** The object of a JSON Lines row. */
  readonly json?: JsonObject
  /** The row has more cells than headings, so its value may be in any of them. */
  readonly isShifted?: boolean
  /** The cell to check; null if the row has none, undefined if the row cannot be read. */
  readonly value: unknown
}

/** A list while it is being read. */
export interface ListInput {
  readonly format: InputFormat
  /** Between the cells of a CSV. */
  readonly delimiter: string
  /** Names of the cells; `isNamed` if the input itself has them. */
  readonly header: readonly string[]
  readonly isNamed: boolean
  /** Which of them holds the values, from 0. */
  readonly column: number
  /** The input begins with a byte order mark, as spreadsheets write and expect it. */
  readonly hasBom: boolean
  readonly rows: AsyncIterable<InputRow>
}
