import { gunzipSync, gzipSync } from 'node:zlib'
import type { Budget } from '../../../../src/lists/budget.ts'

/** A value of 512 characters, all escaped, takes 3 kB, and a result less. */
const MOST_BYTES_EACH = 4 * 1024

/** Packs what a payment bought, or the results, as they are kept: gzipped JSON, base64. */
export const packItems = (items: readonly object[]): string =>
  gzipSync(JSON.stringify(items)).toString('base64')

/** Throws for anything but a list of `count` items of a usual size, and if the budget is spent. */
export function unpackItems(packed: string, count: number, budget: Budget): readonly unknown[] {
  const maxOutputLength = Math.min(MOST_BYTES_EACH * (count + 1), budget.left('unpacked'))
  const bytes = gunzipSync(Buffer.from(packed, 'base64'), { maxOutputLength })
  budget.take('unpacked', bytes.length)
  const items = budget.json(bytes.toString())
  if (!Array.isArray(items) || items.length !== count) throw new Error(`a list of other than ${count} items`)
  return items
}
