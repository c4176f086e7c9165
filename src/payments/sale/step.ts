import type { ClaimOutcome, PaymentRow } from '../../ledger/ledger.ts'
import type { Sale } from '../sale.ts'
import { declined } from './outcomes.ts'

/** Where a request stands after a look at the ledger. */
export type Step =
  /** There is an answer. */
  | { readonly kind: 'answer'; readonly sale: Sale }
  /** The row is this process's to settle. */
  | { readonly kind: 'owned'; readonly row: PaymentRow }
  /** The row is this process's to settle again; an earlier attempt may have landed. */
  | { readonly kind: 'owned_in_doubt'; readonly row: PaymentRow }
  /** Somebody else moved the row or works on it: the ledger has to be read again. */
  | { readonly kind: 'look_again' }

export const answer = (sale: Sale): Step => ({ kind: 'answer', sale })

/** What a claim, or the taking over of a row, leads to. */
export function stepOfClaim(outcome: ClaimOutcome): Step {
  switch (outcome.kind) {
    case 'claimed':
      return { kind: 'owned', row: outcome.row }
    case 'known':
      return { kind: 'look_again' }
    case 'task_gone':
      return answer(declined('task_not_found'))
    case 'task_taken':
      return answer(declined('payment_already_used'))
  }
}
