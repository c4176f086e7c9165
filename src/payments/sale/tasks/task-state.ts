import type { ErrorCode } from '../../../errors.ts'
import type { PaymentRow } from '../../../ledger/payments/payment-row.ts'
import type { TaskRow } from '../../../ledger/tasks/task-row.ts'
import { resultJsonOf } from '../../ports/result-json.ts'
import type { Verdicts } from '../../ports/sale.ts'
import type { TaskState } from '../../ports/task.ts'
import type { Bindings } from '../../secrets/bindings.ts'
import { hasVerdicts, type SealedContent } from '../../secrets/seal.ts'
import { type Bought, paidBy, type ReceiptOf, refusalOf } from '../purchase/receipt.ts'

export const CANCELED = 'canceled'

export interface TaskParts {
  readonly task: TaskRow
  readonly row: PaymentRow | null
  readonly content: SealedContent
  readonly receiptOf: ReceiptOf
  readonly bindings: Bindings
  readonly now: number
}

/**
 * The only way to a sealed verdict: the row of its payment was settled for this task or the very same call, or a
 * channel was charged for it.
 */
export async function taskState(parts: TaskParts): Promise<TaskState> {
  const { task, row, content, now } = parts
  if (task.ended === CANCELED) return { state: 'canceled' }
  if (task.ended !== null) {
    const { why } = content
    return { state: 'failed', code: task.ended as ErrorCode, ...(why === undefined ? {} : { why }) }
  }
  // The settlement is sealed in the transaction that charges the channel.
  if (content.settlement !== undefined && hasVerdicts(content))
    return { state: 'sold', verdicts: content.verdicts, settlement: content.settlement }
  if (row === null || !(await isPaidBy(parts, row))) return { state: 'unpaid' }
  switch (row.state) {
    case 'settled':
      if (!hasVerdicts(content)) throw new Error('a task with a payment has lost its verdicts')
      return {
        state: 'sold',
        verdicts: content.verdicts,
        settlement: await parts.receiptOf(paidBy(row), boughtIn(content)),
      }
    case 'refused':
    case 'void':
      return failed(row)
    // Nothing was sent. While no process holds the claim, the paying message may be repeated.
    case 'claimed':
      return { state: row.owner === null || row.leaseUntil <= now ? 'unpaid' : 'working' }
    case 'settling':
    case 'in_doubt':
      return { state: 'working' }
  }
}

type Verified = SealedContent & { readonly verdicts: Verdicts }

const boughtIn = ({ requestDigest, shape, verdicts }: Verified): Bought => ({
  requestDigest,
  json: resultJsonOf(shape, () => verdicts),
})

/** If a buyer signs two authorizations for one call, a second task may be attached to the first payment. */
const isPaidBy = async ({ task, content, bindings }: TaskParts, row: PaymentRow): Promise<boolean> =>
  row.taskKey === task.key || bindings.isBoundTo(row, [content.fingerprint])

function failed(row: PaymentRow): TaskState {
  const code = (row.refusal ?? 'payment_refused') as ErrorCode
  return { state: 'failed', code, settlement: refusalOf(row.network, row.payer, code) }
}
