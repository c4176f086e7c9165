import type { Journal, PendingPayment } from './journal.ts'
import type { Batch, ListPayer, Slot, Stop } from './list-payer.ts'
import { createRunningPayments } from './running-payments.ts'

export interface BatchOptions {
  readonly payer: ListPayer
  readonly journal: Journal
  /** When aborted, no further payment is begun. */
  readonly signal: AbortSignal
  /** Values per payment. */
  readonly batch: number
  /** Payments in progress at once. */
  readonly concurrency: number
}

/** The batches of one run, collected or being paid for. */
export interface Batches {
  mayGoOn(): boolean
  /** The slot of a value whose batch has no results yet. */
  find(key: string): Slot | undefined
  /** Adds a value to the batch it belongs to, and pays for what is complete. */
  add(key: string, value: string, earlier?: EarlierPayment): Promise<Slot>
  /** Waits for a payment, or pays for an incomplete batch; false if neither is possible. */
  advance(): Promise<boolean>
  /** At the end of the input, pays for the remaining values. */
  payRest(): Promise<void>
  /** Waits for the payments in progress; rejects with the first unexpected error. */
  finish(): Promise<void>
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
  const payments = createRunningPayments(options.concurrency, signal)
  const open = new Map<string, Slot>()
  const recoveries = new Map(journal.pending().map((payment) => [payment.id, recoveryOf(payment)]))
  let collecting = newBatch()
  /** Complete, and not paid for yet. */
  const full: Batch[] = []

  const forget = ({ keys }: Batch) => {
    for (const key of keys) open.delete(key)
  }
  const complete = () => {
    if (collecting.values.length > 0) full.push(collecting)
    collecting = newBatch()
  }
  /** Pays for the oldest complete batch; false without one. */
  async function payFirst(): Promise<boolean> {
    const batch = full.shift()
    if (batch !== undefined) await payments.start(batch, () => payer.pay(batch), forget)
    return batch !== undefined
  }
  const lacking = () => [...recoveries.values()].find(({ missing }) => missing > 0)
  /** Values of a payment of an earlier run are still to come, and nothing may be paid before it. */
  const isHeld = () => payer.isOrdered && lacking() !== undefined

  const resend = (recovery: Recovery) =>
    payments.start(
      recovery,
      async () => {
        const outcome = await payer.resend(recovery, recovery.payment)
        return outcome === 'not_charged' ? payer.pay(recovery) : outcome
      },
      forget,
    )

  return {
    mayGoOn: payments.mayGoOn,
    find: (key) => open.get(key),
    async add(key, value, earlier) {
      const slot: Slot = {}
      open.set(key, slot)
      const recovery = earlier && recoveries.get(earlier.payment)
      const batch = recovery ?? collecting
      const at = (recovery && earlier?.position) ?? batch.values.length
      batch.keys[at] = key
      batch.values[at] = value
      batch.slots[at] = slot
      if (recovery === undefined) {
        if (batch.values.length >= options.batch) complete()
      } else {
        recovery.missing -= 1
        if (recovery.missing === 0) await resend(recovery)
      }
      while (!isHeld() && (await payFirst()));
      return slot
    },
    async advance() {
      if (!payments.mayGoOn()) return false
      if (await payments.next()) return true
      // Its values may be further down: rows wait in memory until they are found or the input ends.
      if (isHeld()) return false
      if (full.length === 0) complete()
      return payFirst()
    },
    async payRest() {
      complete()
      while (await payFirst());
    },
    finish: payments.finish,
    stopReason() {
      const reason = payments.stopReason()
      if (reason !== null) return reason
      if (signal.aborted) return { kind: 'interrupted' }
      const left = lacking()
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
