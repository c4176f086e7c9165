import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { CheckType } from '../../../../src/checks/verdict.ts'
import type { EncodingName } from '../../../../src/lists/decode-text.ts'
import { encodingCalled } from '../../../../src/lists/encode-text.ts'
import { cellsOf } from '../../../../src/lists/input-row.ts'
import { LEFT_OUT, readCell } from '../../../../src/lists/read-cell.ts'
import { prefixesOf, resultColumns } from '../../../../src/lists/results.ts'
import { asShown } from '../../../../src/lists/table-rows.ts'
import { ReceiptFault } from '../../../../src/receipts/verify-receipt.ts'
import { openList } from './open-list-file.ts'
import { columnsOf, type Statement } from './statement.ts'

interface ListCell {
  readonly type: CheckType
  readonly value: string
  /** A hash of the result beside it; null in a list without results. */
  readonly print: string | null
  readonly isLeftOut: boolean
}

export interface CheckedList {
  /** By row and checked column, both from 1: "3 1". */
  readonly cells: ReadonlyMap<string, ListCell>
  /** A hash of the cells of a result, after a round trip through the encoding of the list. */
  readonly printOf: (cells: readonly string[]) => string
}

/** Members of a result that are compared. Hints and warnings depend on the version of the program that wrote them. */
const COMPARED = ['valid', 'code', 'reason', 'normalized']

/** The rows of the list with the results beside them; null without the list. */
export async function readRows(
  statement: Statement,
  options: { readonly path: string; readonly list: string | null },
): Promise<CheckedList | null> {
  const { list } = statement
  const path = options.list ?? join(dirname(options.path), basename(list.file))
  if (options.list === null && !existsSync(path)) return null
  const input = await openList(path, {
    columns: columnsOf(statement),
    encoding: (list.encoding as EncodingName | null) ?? undefined,
    sheet: list.sheet ?? undefined,
  })
  const { header, isNamed, columns, format, encoding } = input
  const encode = encoding === null ? null : encodingCalled(encoding.name).encode
  const decoder = new TextDecoder(encoding?.name)
  const printOf = (cells: readonly string[]) => {
    const text = JSON.stringify(cells.slice(0, COMPARED.length))
    const written = encode === null ? text : decoder.decode(encode(text))
    return createHash('sha256').update(written).digest('base64')
  }
  const added = resultColumns([], columns)
  const places = prefixesOf(columns).map((prefix, at) => {
    if (!isNamed)
      return format === 'csv' && options.list === null
        ? COMPARED.map(
            (_, member) => header.length - added.length + (at * added.length) / columns.length + member,
          )
        : null
    // The results are behind the columns of the list; their headings may end with a number.
    const behind = columns.slice(at).filter(({ type }) => type === columns[at]?.type).length
    const found = COMPARED.map((name) => {
      const like = new RegExp(`^${prefix}${name}(_\\d+)?$`)
      return header.flatMap((heading, index) => (like.test(heading) ? [index] : [])).at(-behind) ?? -1
    })
    return found.includes(-1) ? null : found
  })
  const cells = new Map<string, ListCell>()
  let number = 0
  for await (const row of input.rows) {
    number += 1
    for (const [at, { type, value, leftOut }] of cellsOf(row).entries()) {
      const place = places[at] ?? null
      const told = place?.map((index) =>
        asShown(String((row.json === undefined ? row.cells[index] : row.json[header[index] ?? '']) ?? '')),
      )
      // A cell that looks like a total here may have been a value in the list that was bought.
      const cell = readCell(value ?? asShown(row.cells[columns[at]?.index ?? 0] ?? ''))
      if (cell.ok)
        cells.set(`${number} ${at + 1}`, {
          type,
          value: cell.value,
          print: told === undefined ? null : printOf(told),
          isLeftOut: told === undefined ? leftOut !== undefined : Object.hasOwn(LEFT_OUT, told[1] ?? ''),
        })
    }
  }
  return { cells, printOf }
}

/** Throws {@link ReceiptFault} unless each row has the result that was sold for its value, or a reason for having none. */
export function compareRows({ cells }: CheckedList, sold: ReadonlyMap<string, string>): void {
  for (const [place, { type, value, print, isLeftOut }] of cells) {
    const expected = sold.get(`${type}\n${value}`)
    if (expected === undefined ? !isLeftOut : print !== null && print !== expected)
      throw new ReceiptFault(
        `Row ${place.split(' ')[0]} of the list has another value or result than was sold.`,
      )
  }
}
