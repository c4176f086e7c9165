import { CallerDefect } from '../store/store-guard.ts'
import type { PaymentChange, PaymentRow, PaymentState } from './payment-row.ts'

/** Why a row may go from one state to another; any other change is a defect of the caller. */
export const TRANSITIONS: Readonly<Record<PaymentState, Partial<Record<PaymentState, string>>>> = {
  claimed: {
    claimed: 'another request takes the claim over, or the claim is released',
    settling: 'a settlement is about to be sent',
  },
  settling: {
    claimed: 'this machine knows that nothing left it, or lets another payment for the call go first',
    refused: 'the facilitator refused for a reason that proves that nothing was sent',
    in_doubt:
      'the outcome is unknown, the facilitator says that it did nothing, or the lease ended without an outcome',
    settled: 'the facilitator reports success, or the chain shows the payment',
    void: 'the chain shows that this authorization can never pay for the call',
  },
  refused: {
    refused: 'the identical request takes the row to try again, or releases it',
    settling: 'the identical request tries again',
    settled: 'the chain shows the payment',
    void: 'the chain shows that this authorization can never pay for the call',
  },
  in_doubt: {
    in_doubt: 'the identical request takes the row to send it again, or releases it',
    settled: 'the facilitator reports success, or the chain shows the payment',
    void: 'the chain shows that this authorization can never pay for the call',
  },
  settled: {
    settled:
      'the audit records what the chain shows, a task is attached, or a restored payment is bound to the first call',
  },
  void: {
    void: 'the chain was read again and says the same',
    settled:
      'the chain shows the payment after all: an earlier answer of the node was wrong, or the sale is missing in a restored store',
  },
}

const SETTLED_CHANGES: ReadonlySet<string> = new Set<keyof PaymentChange>([
  'audit',
  'transaction',
  'logIndex',
  'taskKey',
])

export class IllegalTransition extends CallerDefect {
  override readonly name = 'IllegalTransition'
}

/** Throws {@link IllegalTransition} unless the change is allowed. */
export function requireTransition(seen: Pick<PaymentRow, 'state' | 'origin'>, change: PaymentChange): void {
  const to = change.state ?? seen.state
  if (TRANSITIONS[seen.state]?.[to] === undefined)
    throw new IllegalTransition(`a payment cannot go from ${seen.state} to ${to}`)
  if (seen.state !== 'settled' || seen.origin === 'restored') return
  for (const member of Object.keys(change))
    if (member !== 'state' && !SETTLED_CHANGES.has(member))
      throw new IllegalTransition(`${member} of a settled payment cannot change`)
}
