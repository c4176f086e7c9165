import { createHash } from 'node:crypto'
import type { CheckType } from '../../checks/verdict.ts'
import { LateEncoding } from '../../lists/decode-text.ts'
import type { ReadListOptions } from '../../lists/input-row.ts'
import { readRow } from '../../lists/read-cell.ts'
import { isFile, type OpenList, openList } from './open-list-file.ts'

/** What is in a list, found by reading all of it before anything is bought. */
export interface Survey {
  readonly list: OpenList
  readonly rows: number
  /** Different values to buy. */
  readonly values: number
  /** The first of them, for a quote. */
  readonly first: readonly string[]
  /** Rows without a value to buy, by code. */
  readonly leftOut: Readonly<Record<string, number>>
  /** How to open the list again to buy it. */
  readonly options: Options
}

type Options = Omit<ReadListOptions, 'check'>

/** Reads a whole list; `most` values are kept for a quote. Throws `UsageError` for what is no list, wherever in it. */
export async function surveyList(
  path: string,
  type: CheckType,
  options: Options,
  most: number,
): Promise<Survey> {
  try {
    return await survey(path, type, options, most)
  } catch (error) {
    const isLate = error instanceof Error && error.cause instanceof LateEncoding
    if (!isLate || !isFile(path)) throw error
    return survey(path, type, { ...options, isOld: true }, most)
  }
}

async function survey(path: string, type: CheckType, options: Options, most: number): Promise<Survey> {
  const list = await openList(path, type, options)
  // 48 bits of a hash: a million values take 40 MB, and one in five hundred such lists is counted one short.
  const seen = new Set<number>()
  const first: string[] = []
  const leftOut: Record<string, number> = {}
  let rows = 0
  for await (const row of list.rows) {
    rows += 1
    const cell = readRow(row)
    if (!cell.ok) leftOut[cell.code] = (leftOut[cell.code] ?? 0) + 1
    else {
      seen.add(createHash('sha1').update(cell.value).digest().readUIntBE(0, 6))
      if (first.length < most && first.length < seen.size) first.push(cell.value)
    }
  }
  return { list, rows, values: seen.size, first, leftOut, options }
}
