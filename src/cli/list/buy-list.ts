import type { Skill } from '../../skills/skill.ts'
import type { RowResult } from './checked-row.ts'
import type { InputRow } from './input-row.ts'
import type { Journal, PendingPayment } from './journal.ts'
import type { Batch, ListPayer, Slot, Stop } from './list-payer.ts'
import { readCell } from './read-cell.ts'

export interface ListPurchase {
  readonly payer: ListPayer
  readonly journal: Journal
  /** Aborted: no further payment is begun. */
  readonly signal: AbortSignal
  readonly rows: AsyncIterable<InputRow>
  readonly skill: Skill
  /** Values per payment. */
  readonly batch: number
  /** Payments under way at once. */
  readonly concurrency: number
  /** Called for each row once, in the order of the input. */
  readonly write: (row: InputRow, result: RowResult) => Promise<void>
}

/** A payment of an earlier run, whose values are collected from the input again. */
interface Recovery extends Batch {
  readonly payment: PendingPayment
  missing: number
}

interface Waiting {
  readonly row: InputRow
  readonly slot: Slot
}

/**
 * Buys the checks of a list in batches and writes every row, in order; returns why it stopped, or null at the end.
 *
 * A value is bought once, however often the list has it. A payment is in the journal before it is sent, and what the
 * journal has is not bought again, so that a run after a crash pays for the rest only.
 */
export async function buyList(purchase: ListPurchase): Promise<Stop | null> {
  const { journal, signal } = purchase
  const work = createWork(purchase)
  const queue: Waiting[] = []
  const mostQueued = 4 * purchase.batch * (purchase.concurrency + 1)

  const flush = async () => {
    for (let first = queue[0]; first?.slot.result !== undefined; first = queue[0]) {
      queue.shift()
      await purchase.write(first.row, first.slot.result)
    }
  }

  try {
    for await (const row of purchase.rows) {
      if (!work.mayGoOn()) break
      queue.push(await place(row))
      await flush()
      // Until something moves: values of an earlier payment may be further down.
      while (queue.length >= mostQueued && (await work.advance())) await flush()
    }
    await work.payRest()
  } catch (error) {
    // Reading is cut off on purpose by an interruption.
    if (!signal.aborted) throw error
  } finally {
    await work.settled()
  }
  await flush()
  return work.stop()

  /** Finds the slot that will hold the result of a row, and buys what is complete. */
  async function place(row: InputRow): Promise<Waiting> {
    const cell = readCell(purchase.skill, row.value)
    if (!cell.ok) return { row, slot: { result: { kind: 'skipped', code: cell.code } } }
    const key = journal.keyOf(cell.value)
    const open = work.find(key)
    if (open !== undefined) return { row, slot: open }
    const entry = journal.find(key)
    if (entry?.kind === 'checked') return { row, slot: { result: entry.result } }
    if (entry?.kind === 'lost') {
      return { row, slot: { result: { kind: 'skipped', code: 'answer_lost' } } }
    }
    return { row, slot: await work.add(key, cell.value, entry) }
  }
}

/** The batches of one run: those being collected, and those being paid for. */
function createWork(purchase: ListPurchase) {
  const { payer, journal, concurrency, signal } = purchase
  const open = new Map<string, Slot>()
  const underWay = new Set<Promise<void>>()
  const recoveries = new Map(journal.pending().map((payment) => [payment.id, recoveryOf(payment)]))
  let next = newBatch()
  /** Complete, and not paid for yet. */
  const full: Batch[] = []
  let stopped: Stop | null = null
  let failure: { readonly error: unknown } | null = null

  const mayGoOn = () => stopped === null && failure === null && !signal.aborted

  async function start(batch: Batch, run: () => Promise<Stop | null>): Promise<void> {
    while (underWay.size >= concurrency) await Promise.race(underWay)
    if (!mayGoOn()) return
    const task = run()
      .then(
        (reason) => {
          stopped ??= reason
          if (reason === null) for (const key of batch.keys) open.delete(key)
        },
        (error: unknown) => {
          failure ??= { error }
        },
      )
      .finally(() => underWay.delete(task))
    underWay.add(task)
  }

  const complete = () => {
    if (next.values.length > 0) full.push(next)
    next = newBatch()
  }
  /** Pays for the oldest complete batch; false without one. */
  async function payFirst(): Promise<boolean> {
    const batch = full.shift()
    if (batch !== undefined) await start(batch, () => payer.pay(batch))
    return batch !== undefined
  }
  /** Values of a payment of an earlier run are still to come, and nothing may be paid before it. */
  const isHeld = () => payer.isOrdered && [...recoveries.values()].some(({ missing }) => missing > 0)

  const resend = (recovery: Recovery) =>
    start(recovery, async () => {
      const outcome = await payer.resend(recovery, recovery.payment)
      return outcome === 'not_charged' ? payer.pay(recovery) : outcome
    })

  return {
    mayGoOn,
    find: (key: string) => open.get(key),

    /** Adds a value to the batch it belongs to. */
    async add(key: string, value: string, earlier?: { readonly payment: number; readonly position: number }) {
      const slot: Slot = {}
      open.set(key, slot)
      const recovery = earlier && recoveries.get(earlier.payment)
      const batch = recovery ?? next
      const at = (recovery && earlier?.position) ?? batch.values.length
      batch.keys[at] = key
      batch.values[at] = value
      batch.slots[at] = slot
      if (recovery === undefined) {
        if (batch.values.length >= purchase.batch) complete()
      } else {
        recovery.missing -= 1
        if (recovery.missing === 0) await resend(recovery)
      }
      while (!isHeld() && (await payFirst()));
      return slot
    },

    /** Waits for a payment, or pays for an incomplete batch; false if neither is possible. */
    async advance(): Promise<boolean> {
      if (!mayGoOn()) return false
      if (underWay.size > 0) {
        await Promise.race(underWay)
        return true
      }
      // Its values are further down: reading goes on, and rows wait in memory until they are found or the input ends.
      if (isHeld()) return false
      if (full.length === 0) complete()
      return payFirst()
    },

    async payRest(): Promise<void> {
      complete()
      while (await payFirst());
    },

    /** Waits for the payments under way. */
    async settled(): Promise<void> {
      await Promise.all(underWay)
      if (failure !== null) throw failure.error
    },

    stop(): Stop | null {
      if (stopped !== null) return stopped
      if (signal.aborted) return { kind: 'interrupted' }
      const left = [...recoveries.values()].find(({ missing }) => missing > 0)
      return left === undefined ? null : { kind: 'changed', state: payer.stateOf(left.payment) }
    },
  }
}

const newBatch = (): Batch => ({ keys: [], values: [], slots: [] })

const recoveryOf = (payment: PendingPayment): Recovery => ({
  ...newBatch(),
  payment,
  missing: payment.size,
})
