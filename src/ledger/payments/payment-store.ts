import { orRaced } from '../store/raced.ts'
import type { After, Store } from '../store/store.ts'
import * as lists from './payment-lists.ts'
import type { PaymentChange, PaymentKey, PaymentRow, PurchaseType, SeenPayment } from './payment-row.ts'
import * as payments from './payments.ts'
import { purge } from './purge.ts'

/** One authorization, one row. Claims are in the port of tasks. */
export interface PaymentStore extends ReturnType<typeof paymentStore> {}

export interface MoveOptions<Durable extends boolean = boolean> {
  /** False: resolves at the commit, before the flush to disk. */
  readonly durable?: Durable
  /** Changes the row only if no transaction was noted as sent for it. */
  readonly ifUnsent?: boolean
}

export type Move = <Durable extends boolean = true>(
  seen: SeenPayment,
  change: PaymentChange,
  options?: MoveOptions<Durable>,
) => After<Durable extends false ? 'commit' : 'flush', PaymentRow | null>

export function paymentStore({ read, survey, flush, commit, aside, notes }: Store) {
  const [moveFlushed, moveCommitted] = [flush(payments.movePayment), commit(payments.movePayment)]
  const select = read(lists.selectUnanswered)
  const move: Move = (seen, change, { durable = true, ...options } = {}) => {
    const moved = (durable ? moveFlushed : moveCommitted)(seen, change, options)
    return orRaced<Promise<PaymentRow | null>>(moved, () => null)
  }
  return {
    find: read(payments.findPayment),
    move,
    noteRepeat: flush(payments.noteRepeat),
    noteSent: flush(payments.noteSent),
    noteDelivered: (key: PaymentKey, at: number, lockedFrom: number) =>
      notes.write(key.payer, (db) => payments.noteDelivered(db, key, at, lockedFrom)),
    unanswered: async (payer: string, type: PurchaseType, since: number, deliveredSince: number) => {
      await notes.settle(payer)
      return select(payer, type, since, deliveredSince)
    },
    hasSettled: read(lists.hasSettled),
    findByIdentifier: read(lists.findByIdentifier),
    unresolved: read(lists.selectUnresolved),
    unaudited: read(lists.selectUnaudited),
    settled: survey(lists.selectSettled),
    purge: purge(aside),
  }
}
