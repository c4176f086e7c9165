import type { TypedValue } from '../../buyer/list-buyer.ts'
import type { Journal, PendingPayment } from './journal.ts'
import type { Batch, Slot, Stop } from './list-payer.ts'
import type { ListPayer } from './pay-batch.ts'

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
  /** Adds a value to the batch it belongs to, and pays for the batch if it is complete. */
  add(key: string, item: TypedValue, earlier?: EarlierPayment): Promise<Slot>
  /** Pays for the values collected so far; false without any, or if the run may not go on. */
  payCollected(): Promise<boolean>
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

  const mayGoOn = () => stopped === null && !signal.aborted
  const payFor = async (batch: Batch, pay: () => Promise<Stop | null>): Promise<void> => {
    if (!mayGoOn()) return
    stopped = await pay()
    if (stopped === null) for (const key of batch.keys) open.delete(key)
  }
  const payCollected = async (): Promise<boolean> => {
    const batch = collecting
    if (!mayGoOn() || batch.items.length === 0) return false
    collecting = newBatch()
    await payFor(batch, () => payer.pay(batch))
    return true
  }
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
        if (batch.items.length >= options.batch) await payCollected()
      } else {
        recovery.missing -= 1
        if (recovery.missing === 0) await resend(recovery)
      }
      return slot
    },
    payCollected,
    stopReason() {
      if (stopped !== null) return stopped
      if (signal.aborted) return { kind: 'interrupted' }
      const left = [...recoveries.values()].find(({ missing }) => missing > 0)
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
