import { createHash } from 'node:crypto'
import { createLeftOut } from '../../../../src/lists/describe-plan.ts'
import { cellsOf } from '../../../../src/lists/input-row.ts'
import { readRow } from '../../../../src/lists/read-cell.ts'
import type { TypedValue } from '../buyer/list-buyer.ts'
import {
  type ListFileOptions,
  type OpenList,
  openList,
  timedBudget,
  withOldEncoding,
} from './open-list-file.ts'

/** What is in a list, found by reading all of it before anything is bought. */
export interface Survey {
  readonly list: OpenList
  readonly rows: number
  /** Different values to buy. */
  readonly values: number
  /** Cells with a value that an earlier one has; it is bought once. */
  readonly repeated: number
  /** How many of them are in each column and in none before it. */
  readonly byColumn: readonly number[]
  /** The first of them, for a quote. */
  readonly first: readonly TypedValue[]
  /** Cells without a value to buy, by code. */
  readonly leftOut: ReturnType<typeof createLeftOut>['cells']
  /** How to open the list again to buy it. */
  readonly options: ListFileOptions
}

/** Reads a whole list; `most` values are kept for a quote. Throws {@link UsageError} if any part is unreadable. */
export const surveyList = (path: string, options: ListFileOptions, most: number): Promise<Survey> =>
  withOldEncoding(path, { ...options, withLate: true }, (how) => survey(path, how, most))

async function survey(path: string, options: ListFileOptions, most: number): Promise<Survey> {
  const list = await openList(path, { ...options, budget: timedBudget() })
  // 48 bits of a hash: a million values take 40 MB, and one in five hundred such lists is counted one short.
  const seen = new Set<number>()
  const first: TypedValue[] = []
  const byColumn = options.columns.map(() => 0)
  const leftOut = createLeftOut()
  let rows = 0
  let repeated = 0
  for await (const row of list.rows) {
    rows += 1
    for (const [at, each] of cellsOf(row).entries()) {
      const cell = readRow(each)
      if (!cell.ok) leftOut.add(cell.code, row.line)
      else {
        const { type } = each
        const before = seen.size
        seen.add(createHash('sha1').update(`${type}\n${cell.value}`).digest().readUIntBE(0, 6))
        if (seen.size === before) {
          repeated += 1
          continue
        }
        byColumn[at] = (byColumn[at] ?? 0) + 1
        if (first.length < most) first.push({ type, value: cell.value })
      }
    }
  }
  const again = { ...options, late: list.late }
  return { list, rows, values: seen.size, repeated, byColumn, first, leftOut: leftOut.cells, options: again }
}
