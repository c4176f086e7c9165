import { v4 as newId } from 'uuid'
import { StoreUnavailable } from '../../../ledger/store/store-unavailable.ts'
import type { HoldVerdict } from '../../ports/task.ts'
import { seal, taskKeyOf } from '../../secrets/seal.ts'
import { contentOf, openValueCall } from '../purchase/purchased-call.ts'
import type { SaleContext } from '../table/sale-context.ts'

export const UNPAID_TASK_LIFE_MS = 600_000
/** At once; a call beyond that must wait until some expire. */
const MOST_UNPAID_TASKS = 10_000

/** The only way to a check beside `sell`. */
export function createHoldVerdict({ ledger, keys, quotes, now }: SaleContext): HoldVerdict {
  return async (call) => {
    const taskId = newId()
    const createdAt = now()
    const expiresAt = createdAt + UNPAID_TASK_LIFE_MS
    const purchased = openValueCall(call, keys)
    const sealed = seal(keys, taskId, contentOf(purchased, call.task.pendingOrder))
    try {
      const quote = await quotes.of(purchased, call.surface)
      const saved = await ledger.saveTask(
        { key: taskKeyOf(taskId), sealed, createdAt, expiresAt },
        MOST_UNPAID_TASKS,
      )
      return saved === 'full'
        ? { kind: 'declined', code: 'too_many_requests' }
        : { kind: 'withheld', taskId, quote, expiresAt }
    } catch (error) {
      if (error instanceof StoreUnavailable) return { kind: 'declined', code: 'store_unavailable' }
      throw error
    }
  }
}
