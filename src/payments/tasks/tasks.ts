import type { SaleContext } from '../sale/sale-context.ts'
import type { Tasks } from '../sale.ts'
import { taskKeyOf, unseal } from '../secrets/seal.ts'
import { CANCELED, taskState } from './task-state.ts'

/** Shows and ends the tasks that `holdVerdict` and `sell` keep. */
export function createTasks(context: SaleContext): Tasks {
  const { ledger, keys, registry, quotes, receiptOf, bindings, now } = context
  return {
    async read(taskId) {
      const task = await ledger.findTask(taskKeyOf(taskId))
      if (task === null || (task.payment === null && task.expiresAt <= now())) return null
      const content = unseal(keys, taskId, task.sealed)
      const skill = content === null ? undefined : registry.get(content.skillId)
      if (content === null || skill === undefined) return null
      const row = task.payment === null ? null : await ledger.find(task.payment)
      const state = await taskState({ task, row, content, receiptOf, bindings, now: now() })
      return { memo: content.memo, skill, quote: await quotes.of(content, 'a2a'), ...state }
    },
    cancel: (taskId) => ledger.endTask(taskKeyOf(taskId), CANCELED, now()),
    fail: (taskId, code) => ledger.endTask(taskKeyOf(taskId), code, now()),
  }
}
