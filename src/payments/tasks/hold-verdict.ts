import { randomUUID } from 'node:crypto'
import { StoreUnavailable } from '../../ledger/ledger.ts'
import { type SaleContext, UNAVAILABLE_RETRY_SECONDS } from '../sale/sale-context.ts'
import type { HoldVerdict } from '../sale.ts'
import { fingerprintOf } from '../secrets/fingerprint.ts'
import { seal, taskKeyOf } from '../secrets/seal.ts'

/** How long a verdict waits for its payment. */
export const UNPAID_TASK_LIFE_MS = 600_000
/** Unpaid tasks alive at once; more are turned away until some have had their time. */
const MOST_UNPAID_TASKS = 10_000
const FULL_RETRY_SECONDS = 60

/**
 * The second door to a check: runs it and keeps the verdict sealed under a fresh, unguessable task id. What comes
 * out is the id and the price; neither depends on the verdict.
 */
export function createHoldVerdict({ ledger, keys, quotes, now }: SaleContext): HoldVerdict {
  return async ({ skill, surface, value, task }) => {
    const taskId = randomUUID()
    const createdAt = now()
    const expiresAt = createdAt + UNPAID_TASK_LIFE_MS
    const sealed = seal(keys, taskId, {
      checkType: skill.id,
      ruleset: skill.ruleset,
      verdict: skill.check(value),
      fingerprint: fingerprintOf(keys, skill.id, value),
      memo: task.memo,
    })
    try {
      const saved = await ledger.saveTask(
        { key: taskKeyOf(taskId), sealed, createdAt, expiresAt },
        MOST_UNPAID_TASKS,
      )
      return saved === 'full'
        ? { kind: 'declined', code: 'too_many_requests', retryAfterSeconds: FULL_RETRY_SECONDS }
        : { kind: 'withheld', taskId, quote: quotes(skill, surface), expiresAt }
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      return { kind: 'declined', code: 'store_unavailable', retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS }
    }
  }
}
