import { NO_LEASE, type PaymentRow } from '../../../ledger/payments/payment-row.ts'
import { windowTime } from '../../chain/clocks.ts'
import { isSigned } from '../claim/signature-mac.ts'
import { judgeRepeat } from '../limits/judge-repeat.ts'
import { LOCKED_FROM } from '../limits/mismatch-limiter.ts'
import { identifierIn } from '../purchase/payment-identifier.ts'
import { isSamePurchase } from '../purchase/purchase.ts'
import { isWindowOver } from '../purchase/replay-window.ts'
import { event, learned, type Next, READ_AGAIN, type SaleRun } from '../table/sale-context.ts'
import { adoptRestored, isRestoredOver } from './adopt-restored.ts'

export async function readRow(run: SaleRun): Promise<Next> {
  const row = await run.context.ledger.find(run.attempt.key)
  return row === null ? event('unseen', null) : observe(run, row)
}

/** Names the event that a request is for the row of its authorization. */
async function observe(run: SaleRun, row: PaymentRow): Promise<Next> {
  const { context, attempt } = run
  const now = context.now()
  // A row of this process without a run under way was left by a run that failed.
  if (row.leaseUntil > now && row.owner !== context.owner) return event('held', row)
  if (row.state !== 'claimed') run.charge.mayBeCharged = row.state !== 'void'
  if (row.origin === 'restored' && row.state !== 'settled') return event('restoring', row)
  const signatureAccepted = !attempt.recovered && isSigned(context.keys, attempt.payment, row)
  if (!attempt.recovered) {
    if (row.signatureMac === null && row.state !== 'claimed') {
      const isOver = row.origin === 'restored' && isRestoredOver(context, row)
      return event(isOver ? 'late' : 'unproven', row)
    }
    if (row.signatureMac !== null && !signatureAccepted) return event('other_authorization', row)
  }
  if (row.origin === 'restored') return adoptRestored(run, row)
  const authorized = isSameAuthorization(run, row)
  if (row.state === 'claimed') {
    const identifier = (await isSameCall(run, row)) ? identifierIn(row) : attempt.identifier
    return learned(authorized ? 'same' : 'other_authorization', row, { signatureAccepted, identifier })
  }
  if (isWindowOver(row, windowTime(context))) return event('late', row)

  const repeat = await judgeRepeat({
    limiter: context.mismatches,
    client: attempt.call.client,
    key: row,
    now,
    isSame: async () => (await isSameCall(run, row)) && authorized,
    count: (isDiffering) => context.ledger.noteRepeat(row, isDiffering, LOCKED_FROM),
  })
  return learned(repeat === 'other' && !authorized ? 'other_authorization' : repeat, row, {
    signatureAccepted,
    identifier: identifierIn(row),
  })
}

/**
 * One nonce may be signed twice with different ends; until one is settled, the later one could still be charged when the
 * row is void.
 */
function isSameAuthorization({ attempt: { payment } }: SaleRun, row: PaymentRow): boolean {
  const { validBefore, value, to } = payment.authorization
  const isEndOpen = row.state === 'settled' || row.validBefore === null
  const isSameEnd = isEndOpen || validBefore === BigInt(row.validBefore)
  return isSameEnd && value === row.amount && to === row.payTo
}

async function isSameCall({ context, attempt }: SaleRun, row: PaymentRow): Promise<boolean> {
  const { call, key } = attempt
  const bound = await context.bindings.isBoundTo(row, call.fingerprints)
  const isOtherTask = call.task?.isNamed && call.task.of(key).key !== row.taskKey
  return bound && !isOtherTask && isSamePurchase(call, row)
}

export async function doubt({ context }: SaleRun, row: PaymentRow): Promise<Next> {
  const doubtful = await context.ledger.move(row, { state: 'in_doubt', ...NO_LEASE })
  return doubtful === null ? READ_AGAIN : event('same', doubtful)
}
