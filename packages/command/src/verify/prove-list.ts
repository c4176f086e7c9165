import type { KeyObject } from 'node:crypto'
import { ReceiptFault, type VerifiedReceipt } from '../../../../src/receipts/verify-receipt.ts'
import type { CheckedList, Print } from './read-rows.ts'

declare const SOLD: unique symbol

/** A value and its result, both from one receipt. */
export interface SoldItem {
  /** Of the receipt that proves it. */
  readonly [SOLD]: VerifiedReceipt<KeyObject>
  readonly type: string
  readonly value: string
  /** Of the result, and of what this program writes beside it. */
  readonly print: Print
  /** Where it stands, by the statement; null where only its first cell is named. */
  readonly cells: readonly number[] | null
}

/** The items of a receipt that both hashes were compared with, which is what makes them sold; null of any other. */
export function soldBy(
  receipt: VerifiedReceipt<KeyObject>,
  items: () => readonly Omit<SoldItem, typeof SOLD>[],
): readonly SoldItem[] | null {
  const isWhole = receipt.request === 'matches' && receipt.result === 'matches'
  return isWhole ? (items() as readonly SoldItem[]) : null
}

declare const COMPARED: unique symbol

/** What a comparison of a list with what was sold has shown; only {@link proveList} makes one. */
export type ListProof = ListFindings & { readonly [COMPARED]: true }

/** Whether a file is, byte for byte, the one that the statement names. No receipt covers that. */
export type FileComparison = 'as_stated' | 'other' | 'not_compared'

interface ListFindings extends Pick<CheckedList, 'columns' | 'above' | 'sheet'> {
  /** Cells with the value and result that were sold. */
  readonly proved: number
  /** Cells of which the list says that nothing was sold for them. */
  readonly leftOut: number
  /** Cells whose value or result was not compared. */
  readonly notCompared: number
  /** Proved cells beside which this program would write something else than stands there. */
  readonly reworded: number
  /** Cells of sold values that stand elsewhere than the statement says, or are gone. */
  readonly moved: number
  /** Sold values that are nowhere in the list. */
  readonly missing: number
  readonly file: FileComparison
}

/**
 * Compares each cell with what was sold. Throws {@link ReceiptFault} for a result that was not sold for its value. `isWhole`: all
 * that was sold is known, so that no other cell can have a result.
 */
export function proveList(
  list: CheckedList,
  sold: readonly SoldItem[],
  { isWhole, sha256 }: { readonly isWhole: boolean; readonly sha256: string | null },
): ListProof {
  const byValue = Map.groupBy(sold, keyOf)
  const places = new Map<SoldItem, number[]>(sold.map((item) => [item, []]))
  let [leftOut, notCompared, reworded] = [0, 0, 0]
  for (const [at, cell] of list.cells.entries()) {
    const known = cell.value === null ? undefined : byValue.get(keyOf({ type: cell.type, value: cell.value }))
    const item = known?.find(({ print }) => print.signed === cell.print?.signed)
    if (item !== undefined) {
      places.get(item)?.push(at + 1)
      if (item.print.own !== cell.print?.own) reworded += 1
    } else if (cell.leftOut === 'as_written' && known === undefined) leftOut += 1
    else if (cell.leftOut !== null || (known === undefined ? !isWhole : cell.print === null)) notCompared += 1
    else throw new ReceiptFault(`Line ${cell.line} of the list has another value or result than was sold.`)
  }
  const found = [...places].filter(([, cells]) => cells.length > 0)
  const { columns, above, sheet } = list
  const findings: ListFindings = {
    ...{ leftOut, notCompared, reworded, columns, above, sheet },
    file: sha256 === null ? 'not_compared' : sha256 === list.sha256 ? 'as_stated' : 'other',
    proved: found.reduce((sum, [, cells]) => sum + cells.length, 0),
    moved: found.reduce((sum, [item, cells]) => sum + differences(item.cells ?? cells, cells), 0),
    missing: places.size - found.length,
  }
  return findings as ListProof
}

const keyOf = ({ type, value }: Pick<SoldItem, 'type' | 'value'>): string => `${type}\n${value}`

const differences = (said: readonly number[], found: readonly number[]): number =>
  2 * new Set([...said, ...found]).size - said.length - found.length
