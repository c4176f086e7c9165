import type { PaymentRow } from '../../../ledger/payments/payment-row.ts'
import { differingMember } from '../../authorization/accepts-terms.ts'
import { refuseByTime } from './refuse-by-time.ts'
import type { SaleRun } from './sale-context.ts'
import { type GuardName, SALE_TABLE, type SaleEvent, type StepName } from './sale-table.ts'

const MOST_TRIES_REFUSED = 3
/** How often a doubtful settlement is sent before only the chain is read. */
const MOST_TRIES_IN_DOUBT = 10

const attemptsOf = (row: PaymentRow | null): number => row?.attempts ?? 0

/** See `GUARD_MEANINGS`. A guard reads what it asks for, and changes nothing. */
const GUARDS: Readonly<Record<GuardName, (run: SaleRun, row: PaymentRow | null) => boolean>> = {
  may_claim_unread: ({ mayClaimUnread, attempt, context: { terms } }) =>
    mayClaimUnread && differingMember(attempt.payment, terms, attempt.call, attempt.quote) === null,
  sent: ({ charge }) => charge.sent,
  needs_proof: ({ context }) => context.proofOnChain,
  refusal_given: ({ refusal }) => refusal !== undefined,
  may_be_under_way: ({ pending, denied }) => pending || denied,
  refused_often: (_, row) => attemptsOf(row) >= MOST_TRIES_REFUSED,
  sent_often: (_, row) => attemptsOf(row) >= MOST_TRIES_IN_DOUBT,
  not_now: (run) => refuseByTime(run) !== null || run.context.pausedBy() !== null,
  used_before_claim: (_, row) => row?.refusal === 'payment_already_used',
  restored: (_, row) => row?.origin === 'restored',
}

/** The step that the table has for an event. Throws for a pair that is not in it: a defect. */
export function nextStep(run: SaleRun, row: PaymentRow | null, event: SaleEvent): StepName {
  const state = row?.state ?? 'new'
  const steps = SALE_TABLE[state][event]
  const step =
    typeof steps === 'string'
      ? steps
      : steps?.find(({ when }) => when === undefined || GUARDS[when](run, row))?.step
  if (step === undefined) throw new Error(`a payment in ${state} has no step for ${event}`)
  return step
}
