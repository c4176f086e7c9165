import { orRaced } from '../store/raced.ts'
import type { Committed, Flushed, Store } from '../store/store.ts'
import * as lists from './payment-lists.ts'
import type { PaymentChange, PaymentKey, PaymentRow, PurchaseType, SeenPayment } from './payment-row.ts'
import * as payments from './payments.ts'
import { purge } from './purge.ts'

type Moved = Promise<PaymentRow | null>

export function paymentStore({ read, survey, flush, commit, aside, notes }: Store) {
  const [moveFlushed, moveCommitted] = [flush(payments.movePayment), commit(payments.movePayment)]
  const select = read(lists.selectUnanswered)
  return {
    find: read(payments.findPayment),
    move: (
      seen: SeenPayment,
      change: PaymentChange,
      options?: payments.MoveOptions,
    ): Flushed<PaymentRow | null> => orRaced<Moved>(moveFlushed(seen, change, options), () => null),
    moveUnflushed: (seen: SeenPayment, change: PaymentChange): Committed<PaymentRow | null> =>
      orRaced<Moved>(moveCommitted(seen, change), () => null),
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
