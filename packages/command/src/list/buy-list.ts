import { cellsOf, type InputCell, type InputRow } from '../../../../src/lists/input-row.ts'
import { readRow } from '../../../../src/lists/read-cell.ts'
import type { RowResult } from '../../../../src/lists/results.ts'
import { type BatchOptions, createBatches } from './batches.ts'
import type { Slot, Stop } from './list-payer.ts'

export interface ListPurchase extends BatchOptions {
  readonly rows: AsyncIterable<InputRow>
  /** Called for each row once, in the order of the input, with a result for each column. */
  readonly write: (row: InputRow, results: readonly RowResult[]) => Promise<void>
}

interface Waiting {
  readonly row: InputRow
  readonly slots: readonly Slot[]
}

/**
 * Buys the checks of a list in batches and writes every row, in order; returns why it stopped, or null at the end.
 *
 * Repeated values are bought once. A payment is in the journal before it is sent, and values in the journal are not
 * bought again, so a run after a crash pays only for the rest.
 */
export async function buyList(purchase: ListPurchase): Promise<Stop | null> {
  const { journal, signal } = purchase
  const batches = createBatches(purchase)
  const queue: Waiting[] = []
  const mostQueued = 8 * purchase.batch

  const flush = async () => {
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      const results = first.slots.flatMap(({ result }) => result ?? [])
      if (results.length < first.slots.length) return
      queue.shift()
      await purchase.write(first.row, results)
    }
  }

  for await (const row of untilAborted(purchase.rows, signal)) {
    if (!batches.mayGoOn()) break
    const slots: Slot[] = []
    for (const cell of cellsOf(row)) slots.push(await place(cell))
    queue.push({ row, slots })
    await flush()
    // Ends if a payment frees no row: the first row may wait for values of an earlier payment that are further down.
    while (queue.length >= mostQueued && (await batches.payCollected())) await flush()
  }
  await batches.payCollected()
  await flush()
  return batches.stopReason()

  /** Returns the slot for the result of a cell; a batch that the cell completes is paid for. */
  async function place(given: InputCell): Promise<Slot> {
    const cell = readRow(given)
    if (!cell.ok) return { result: { kind: 'skipped', code: cell.code } }
    const item = { type: given.type, value: cell.value }
    const key = journal.keyOf(item.value, item.type)
    const open = batches.find(key)
    if (open !== undefined) return open
    const entry = journal.find(key)
    if (entry?.kind === 'checked') return { result: entry.result }
    if (entry?.kind === 'lost') return { result: { kind: 'skipped', code: 'answer_lost' } }
    return batches.add(key, item, entry)
  }
}

/** Ends the rows at an interruption, which closes their file so that reading fails. */
async function* untilAborted(
  rows: ListPurchase['rows'],
  signal: AbortSignal,
): AsyncGenerator<InputRow, void> {
  try {
    yield* rows
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
