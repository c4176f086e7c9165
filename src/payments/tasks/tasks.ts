import type { ErrorCode } from '../../errors.ts'
import type { PaymentRow, TaskRow } from '../../ledger/ledger.ts'
import { type ReceiptOf, refusalOf } from '../sale/receipt.ts'
import type { SaleContext } from '../sale/sale-context.ts'
import type { Tasks, TaskView } from '../sale.ts'
import { type SealedContent, taskKeyOf, unseal } from '../secrets/seal.ts'

const CANCELED = 'canceled'

/** Shows and ends the tasks that `holdVerdict` and `sell` keep; what a task shows follows from its payment's row. */
export function createTasks(context: SaleContext): Tasks {
  const { ledger, keys, registry, quotes, receiptOf, now } = context
  return {
    async read(taskId) {
      const task = await ledger.findTask(taskKeyOf(taskId))
      if (task === null || (task.payment === null && task.expiresAt <= now())) return null
      const content = unseal(keys, taskId, task.sealed)
      const skill = content === null ? undefined : registry.get(content.checkType)
      if (content === null || skill === undefined) return null
      const frame = { memo: content.memo, skill, quote: quotes(skill, 'a2a') }
      const row = task.payment === null ? null : await ledger.find(task.payment)
      return { ...frame, ...stateOf({ task, row, content, receiptOf, now: now() }) }
    },
    cancel: (taskId) => ledger.endTask(taskKeyOf(taskId), CANCELED),
    fail: (taskId, code) => ledger.endTask(taskKeyOf(taskId), code),
  }
}

type State = TaskView extends infer View
  ? View extends TaskView
    ? Omit<View, 'memo' | 'skill' | 'quote'>
    : never
  : never

function stateOf({
  task,
  row,
  content,
  receiptOf,
  now,
}: {
  readonly task: TaskRow
  readonly row: PaymentRow | null
  readonly content: SealedContent
  readonly receiptOf: ReceiptOf
  readonly now: number
}): State {
  if (task.ended === CANCELED) return { state: 'canceled' }
  if (task.ended !== null) return { state: 'failed', code: task.ended as ErrorCode }
  if (row === null) return { state: 'unpaid' }
  switch (row.state) {
    case 'settled':
      return { state: 'sold', verdict: content.verdict, settlement: receiptOf(row) }
    case 'refused':
    case 'dead':
      return failed(row)
    // Claimed by nobody at work: nothing was sent, and the paying message may be repeated as it is.
    case 'claimed':
      return { state: row.owner === null || row.leaseUntil <= now ? 'unpaid' : 'working' }
    case 'settling':
    case 'in_doubt':
      return { state: 'working' }
  }
}

function failed(row: PaymentRow): State {
  const code = (row.refusal ?? 'payment_refused') as ErrorCode
  return { state: 'failed', code, settlement: refusalOf(row.payer, code) }
}
