import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createEncoder, type EncodingName } from '../../lists/decode-text.ts'
import { LEFT_OUT, readCell } from '../../lists/read-cell.ts'
import { resultColumns } from '../../lists/results.ts'
import { asShown } from '../../lists/table-rows.ts'
import { ReceiptFault } from '../../payments/extensions/verify-receipt.ts'
import { openList } from './open-list-file.ts'
import type { Statement } from './statement.ts'

interface ListRow {
  readonly value: string
  /** Stands for the result beside it; null in a list without results. */
  readonly print: string | null
  readonly isLeftOut: boolean
}

export interface CheckedList {
  /** By number, from 1. */
  readonly rows: ReadonlyMap<number, ListRow>
  /** Stands for a result as the encoding of the list writes it. */
  readonly printOf: (cells: readonly string[]) => string
}

/** Members of a result that are compared: hints and warnings have the words of the program that wrote them. */
const COMPARED = ['valid', 'code', 'reason', 'normalized']

/** The rows of the list with the results beside them; null without the list. */
export async function readRows(
  { list, type }: Statement,
  options: { readonly path: string; readonly list: string | null },
): Promise<CheckedList | null> {
  const path = options.list ?? join(dirname(options.path), list.file)
  if (options.list === null && !existsSync(path)) return null
  const input = await openList(path, type, {
    column: list.column ?? undefined,
    encoding: (list.encoding as EncodingName | null) ?? undefined,
    sheet: list.sheet ?? undefined,
  })
  const { header, isNamed, format, encoding } = input
  const encode = encoding === null ? null : createEncoder(encoding)
  const decoder = new TextDecoder(encoding?.name)
  const printOf = (cells: readonly string[]) => {
    const text = JSON.stringify(cells.slice(0, COMPARED.length))
    const written = encode === null ? text : decoder.decode(encode(text))
    return createHash('sha256').update(written).digest('base64')
  }
  // The results are behind the columns of the list, under these names or with a number behind them.
  const last = header.findLastIndex((name) => /^valid(_\d+)?$/.test(name))
  const isResult = COMPARED.every((name, at) => header[last + at]?.replace(/_\d+$/, '') === name)
  const first = isNamed
    ? isResult
      ? last
      : -1
    : format === 'csv' && options.list === null
      ? header.length - resultColumns([]).length
      : -1
  const rows = new Map<number, ListRow>()
  let number = 0
  for await (const { cells, json, value, leftOut } of input.rows) {
    number += 1
    const told = COMPARED.map((_, at) =>
      asShown(String((json === undefined ? cells[first + at] : json[header[first + at] ?? '']) ?? '')),
    )
    // What looks like a row of totals here may be a value where the list came from.
    const cell = readCell(value ?? asShown(cells[input.column] ?? ''))
    if (cell.ok)
      rows.set(number, {
        value: cell.value,
        print: first < 0 ? null : printOf(told),
        isLeftOut: first < 0 ? leftOut !== undefined : Object.hasOwn(LEFT_OUT, told[1] ?? ''),
      })
  }
  return { rows, printOf }
}

/** Each row has the result that was sold for its value, or says why it has none. */
export function compareRows({ rows }: CheckedList, sold: ReadonlyMap<string, string>): void {
  for (const [number, { value, print, isLeftOut }] of rows) {
    const expected = sold.get(value)
    if (expected === undefined ? !isLeftOut : print !== null && print !== expected)
      throw new ReceiptFault(`Row ${number} of the list has another value or result than was sold.`)
  }
}
