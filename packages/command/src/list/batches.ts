import type { TypedValue } from '../buyer/list-buyer.ts'
import type { Journal, PendingPayment, Place } from './journal.ts'
import type { Batch, Entry, Slot, Stop } from './list-payer.ts'
import type { ListPayer } from './pay-batch.ts'

export interface BatchOptions {
  readonly payer: ListPayer
  readonly journal: Journal
  /** When aborted, no further payment is begun. */
  readonly signal: AbortSignal
  /** Values per payment. */
  readonly batch: number
}

/** A payment of an earlier run, whose values are collected from the input again. */
interface Recovery {
  readonly batch: Entry[]
  readonly payment: PendingPayment
  missing: number
}

/** The batches of one run, which are paid for one after another. */
export function createBatches(options: BatchOptions) {
  const { payer, journal, signal } = options
  const open = new Map<string, Slot>()
  let stopped: Stop | null = null
  const recoveries = new Map(journal.pending().map((payment) => [payment.id, recoveryOf(payment)]))
  let collecting: Entry[] = []

  const mayGoOn = () => stopped === null && !signal.aborted
  const payFor = async (batch: Batch, pay: () => Promise<Stop | null>): Promise<void> => {
    if (!mayGoOn()) return
    stopped = await pay()
    if (stopped === null) for (const { key } of batch) open.delete(key)
  }
  const payCollected = async (): Promise<boolean> => {
    const batch = collecting
    if (!mayGoOn() || batch.length === 0) return false
    collecting = []
    await payFor(batch, () => payer.pay(batch))
    return true
  }
  const resend = (recovery: Recovery) =>
    payFor(recovery.batch, async () => {
      const outcome = await payer.resend(recovery.batch, recovery.payment)
      return outcome === 'not_charged' ? payer.pay(recovery.batch) : outcome
    })

  return {
    /** False once a payment stopped the run, or the run was interrupted. */
    mayGoOn,
    /** The slot of a value whose batch has no results yet. */
    find: (key: string): Slot | undefined => open.get(key),
    /** Adds a value to its batch, and pays for the batch if it is complete. `earlier`: its place in a payment of an earlier run. */
    async add(key: string, item: TypedValue, earlier?: Place): Promise<Slot> {
      const entry: Entry = { key, item }
      open.set(key, entry)
      const recovery = earlier && recoveries.get(earlier.payment)
      if (earlier === undefined || recovery === undefined) {
        collecting.push(entry)
        if (collecting.length >= options.batch) await payCollected()
      } else {
        recovery.batch[earlier.position] = entry
        recovery.missing -= 1
        if (recovery.missing === 0) await resend(recovery)
      }
      return entry
    },
    /** Pays for the values collected so far; false without any, or if the run may not go on. */
    payCollected,
    /** Why the run ends before the end of the list; null if it does not. */
    stopReason(): Stop | null {
      if (stopped !== null) return stopped
      if (signal.aborted) return { kind: 'interrupted' }
      const left = [...recoveries.values()].find(({ missing }) => missing > 0)
      return left === undefined ? null : { kind: 'changed', state: payer.stateOf(left.payment) }
    },
  }
}

const recoveryOf = (payment: PendingPayment): Recovery => ({
  batch: [],
  payment,
  missing: payment.size,
})
