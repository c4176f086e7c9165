/**
 * Plans what of a list is sent: each different value once, and nothing that the service would refuse. The reader, shared
 * with the command line, is loaded with the first list.
 */

/** @import { InputRow, ListInput, ReadListOptions } from './lists/input-row.ts' */
/**
 * @typedef {InputRow & ({ at: number } | { skipped: string })} PlannedRow `at` is the index of its value among those that
 *   are sent
 * @typedef {{ list: ListInput, rows: readonly PlannedRow[], values: readonly string[], duplicates: number,
 *   leftOut: ReadonlyMap<string, import('./lists/describe-plan.ts').LeftOutCells> }} Plan
 */

const SLICE_BYTES = 64 * 1024

/**
 * Reads a whole list. Throws a ListFault if it cannot be read; null once `isCurrent` returns false.
 *
 * @param {Blob} file
 * @param {ReadListOptions} options
 * @param {() => boolean} isCurrent
 * @returns {Promise<Plan | null>}
 */
export async function planList(file, options, isCurrent) {
  const [{ readList }, { readRow }, { LateEncoding }, { Budget }, { createLeftOut }] = await Promise.all([
    import('./lists/read-list.ts'),
    import('./lists/read-cell.ts'),
    import('./lists/decode-text.ts'),
    import('./lists/budget.ts'),
    import('./lists/describe-plan.ts'),
  ])
  try {
    const budget = new Budget({ now: () => performance.now() })
    const list = await readList(slices(file), { ...options, budget, size: file.size, withLate: true })
    return await readPlan(list, { readRow, createLeftOut, budget, isCurrent })
  } catch (error) {
    if (!(error instanceof LateEncoding) || options.isOld) throw error
    return planList(file, { ...options, isOld: true }, isCurrent)
  }
}

/**
 * @param {ListInput} list
 * @param {{ readRow: typeof import('./lists/read-cell.ts').readRow,
 *   createLeftOut: typeof import('./lists/describe-plan.ts').createLeftOut, budget: import('./lists/budget.ts').Budget,
 *   isCurrent: () => boolean }} parts
 */
async function readPlan(list, { readRow, createLeftOut, budget, isCurrent }) {
  /** @type {Map<string, number>} */
  const places = new Map()
  const leftOut = createLeftOut()
  /** @type {PlannedRow[]} */
  const rows = []
  let duplicates = 0
  for await (const row of list.rows) {
    const cell = readRow(row)
    if (cell.ok) {
      const at = places.get(cell.value) ?? places.size
      if (at < places.size) duplicates += 1
      else places.set(cell.value, at)
      rows.push({ ...row, at })
    } else {
      leftOut.add(cell.code, row.line)
      rows.push({ ...row, skipped: cell.code })
    }
    await budget.turn()
    if (!isCurrent()) return null
  }
  const header = [...list.header, ...(list.late ?? [])]
  return { list: { ...list, header }, rows, values: [...places.keys()], duplicates, leftOut: leftOut.cells }
}

/**
 * The list in slices; the page gets a turn between them.
 *
 * @template Each
 * @param {readonly Each[]} list
 */
export async function* inSlices(list, size = 500) {
  for (let at = 0; at < list.length; at += size) {
    if (at > 0) await new Promise((go) => setTimeout(go))
    yield list.slice(at, at + size)
  }
}

/** @param {Blob} file */
async function* slices(file) {
  for (let at = 0; at < file.size; at += SLICE_BYTES)
    yield new Uint8Array(await file.slice(at, at + SLICE_BYTES).arrayBuffer())
}
