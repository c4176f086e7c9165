import type { InputCell } from './input-row.ts'

/** Code points, as in the input schemas of the checks. */
const LONGEST_VALUE = 512

export type Cell =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly code: string }

/** No value is sent that the service would refuse. */
export const readRow = ({ leftOut, value }: InputCell): Cell =>
  leftOut === undefined ? readCell(value) : none(leftOut)

export function readCell(value: unknown): Cell {
  if (value === undefined) return none('not_json')
  if (value === null) return none('empty')
  if (typeof value !== 'string') return none('value_not_string')
  if (value.trim() === '') return none('empty')
  if (value.length > LONGEST_VALUE && [...value].length > LONGEST_VALUE) return none('value_too_long')
  return value.isWellFormed() ? { ok: true, value } : none('value_not_unicode')
}

const none = (code: string): Cell => ({ ok: false, code })

/** Codes of rows without a value that are no error. */
export const NOTHING_TO_BUY: readonly string[] = ['empty', 'totals_row', 'rule']

export const LEFT_OUT: Readonly<Record<string, string>> = {
  empty: 'Empty.',
  totals_row: 'A row of totals.',
  rule: 'A line between rows.',
  not_a_value: 'Not a value: it has no digit, or as an email address no "@" and no dot.',
  several_values: 'More than one value in a cell: give each a row of its own.',
  too_many_cells: 'More cells than headings: the value may stand under another one.',
  digits_lost: 'A number that lost digits: a spreadsheet keeps 15. Enter it as text from its source.',
  encoding_unknown: 'A letter that reads differently in windows-1250 and -1252. Name the encoding.',
  value_not_string: 'Not a text.',
  value_too_long: 'Longer than 512 characters.',
  value_not_unicode: 'Not valid Unicode.',
  not_json: 'Not JSON.',
  answer_lost: 'Paid for, and its answer is lost.',
}
