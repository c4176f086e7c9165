import type { TypedValue } from '../../buyer/list-buyer.ts'
import type { Journal, PendingPayment } from './journal.ts'
import type { Batch, ListPayer, Slot, Stop } from './list-payer.ts'

export interface BatchOptions {
  readonly payer: ListPayer
  readonly journal: Journal
  /** When aborted, no further payment is begun. */
  readonly signal: AbortSignal
  /** Values per payment. */
  readonly batch: number
}

/** The batches of one run, paid for one after the other. */
export interface Batches {
  /** False once a payment stopped the run, or the run was interrupted. */
  mayGoOn(): boolean
  /** The slot of a value whose batch has no results yet. */
  find(key: string): Slot | undefined
  /** Adds a value to the batch it belongs to, and pays for what is complete. */
  add(key: string, item: TypedValue, earlier?: EarlierPayment): Promise<Slot>
  /** Pays for a batch, also an incomplete one; false if that is not possible. */
  advance(): Promise<boolean>
  /** At the end of the input, pays for the remaining values. */
  payRest(): Promise<void>
  /** Why the run ends before the end of the list; null if it does not. */
  stopReason(): Stop | null
}

/** The place of a value in a payment of an earlier run. */
export interface EarlierPayment {
  readonly payment: number
  readonly position: number
}

/** A payment of an earlier run, whose values are collected from the input again. */
interface Recovery extends Batch {
  readonly payment: PendingPayment
  missing: number
}

export function createBatches(options: BatchOptions): Batches {
  const { payer, journal, signal } = options
  const open = new Map<string, Slot>()
  let stopped: Stop | null = null
  const recoveries = new Map(journal.pending().map((payment) => [payment.id, recoveryOf(payment)]))
  let collecting = newBatch()
  /** Complete, and not paid for yet. */
  const full: Batch[] = []

  const mayGoOn = () => stopped === null && !signal.aborted
  const payFor = async (batch: Batch, pay: () => Promise<Stop | null>): Promise<void> => {
    if (!mayGoOn()) return
    stopped = await pay()
    if (stopped === null) for (const key of batch.keys) open.delete(key)
  }
  const complete = () => {
    if (collecting.items.length > 0) full.push(collecting)
    collecting = newBatch()
  }
  /** Pays for the oldest complete batch; false without one. */
  async function payFirst(): Promise<boolean> {
    const batch = full.shift()
    if (batch !== undefined) await payFor(batch, () => payer.pay(batch))
    return batch !== undefined
  }
  const lacking = () => [...recoveries.values()].find(({ missing }) => missing > 0)
  /** Values of a payment of an earlier run are still to come, and nothing may be paid before it. */
  const isHeld = () => payer.isOrdered && lacking() !== undefined

  const resend = (recovery: Recovery) =>
    payFor(recovery, async () => {
      const outcome = await payer.resend(recovery, recovery.payment)
      return outcome === 'not_charged' ? payer.pay(recovery) : outcome
    })

  return {
    mayGoOn,
    find: (key) => open.get(key),
    async add(key, item, earlier) {
      const slot: Slot = {}
      open.set(key, slot)
      const recovery = earlier && recoveries.get(earlier.payment)
      const batch = recovery ?? collecting
      const at = (recovery && earlier?.position) ?? batch.items.length
      batch.keys[at] = key
      batch.items[at] = item
      batch.slots[at] = slot
      if (recovery === undefined) {
        if (batch.items.length >= options.batch) complete()
      } else {
        recovery.missing -= 1
        if (recovery.missing === 0) await resend(recovery)
      }
      while (!isHeld() && (await payFirst()));
      return slot
    },
    async advance() {
      if (!mayGoOn()) return false
      // Its values may be further down: rows wait in memory until they are found or the input ends.
      if (isHeld()) return false
      if (full.length === 0) complete()
      return payFirst()
    },
    async payRest() {
      complete()
      while (await payFirst());
    },
    stopReason() {
      if (stopped !== null) return stopped
      if (signal.aborted) return { kind: 'interrupted' }
      const left = lacking()
      return left === undefined ? null : { kind: 'changed', state: payer.stateOf(left.payment) }
    },
  }
}

const newBatch = (): Batch => ({ keys: [], items: [], slots: [] })

const recoveryOf = (payment: PendingPayment): Recovery => ({
  ...newBatch(),
  payment,
  missing: payment.size,
})
