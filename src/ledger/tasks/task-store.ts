import type { NewPayment } from '../payments/new-payment.ts'
import type { PaymentChange, PaymentRow } from '../payments/payment-row.ts'
import { orRaced } from '../store/raced.ts'
import type { Store } from '../store/store.ts'
import { claim, claimUnseen, reclaim, whyNot } from './claim.ts'
import type { TaskAttachment } from './task-row.ts'
import { endTask, findTask, insertTask } from './tasks.ts'

export function taskStore({ read, flush, transact, commit, readsFirst }: Store) {
  const known = read(whyNot)
  const [claimAlone, claimBoth] = [flush(claimUnseen), transact(readsFirst ? claim : claimUnseen)]
  const takeOver = transact(reclaim)
  return {
    /** Both or neither with a task. */
    claim: (payment: NewPayment, task?: TaskAttachment) =>
      orRaced(task === undefined ? claimAlone(payment) : claimBoth(payment, task), () => known(payment)),
    /**
     * Takes over a row that no process works on (compare-and-set on `seen`) and attaches a task: both or neither. The
     * task that a `claimed` row had is detached. `known` if another process was faster.
     */
    reclaim: (seen: PaymentRow, change: PaymentChange, task?: TaskAttachment) =>
      orRaced(takeOver(seen, change, task), () => known(seen)),
    saveTask: commit(insertTask),
    findTask: read(findTask),
    endTask: transact(endTask),
  }
}
