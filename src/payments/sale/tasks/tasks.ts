import type { ErrorCode } from '../../../errors.ts'
import type { Tasks } from '../../ports/task.ts'
import { seal, taskKeyOf, unseal } from '../../secrets/seal.ts'
import type { SaleContext } from '../table/sale-context.ts'
import { CANCELED, taskState } from './task-state.ts'

export function createTasks(context: SaleContext): Tasks {
  const { ledger, keys, registry, quotes, receiptOf, bindings, now } = context
  const open = async (taskId: string) => {
    const task = await ledger.findTask(taskKeyOf(taskId))
    if (task === null || (task.payment === null && task.expiresAt <= now())) return null
    const content = unseal(keys, taskId, task.sealed)
    const skill = content === null ? undefined : registry.get(content.skillId)
    return content === null || skill === undefined ? null : { task, content, skill }
  }
  return {
    pendingOrder: async (taskId) => (await open(taskId))?.content.pendingOrder ?? null,
    async read(taskId) {
      const opened = await open(taskId)
      if (opened === null) return null
      const { task, content, skill } = opened
      const row = task.payment === null ? null : await ledger.find(task.payment)
      const state = await taskState({ task, row, content, receiptOf, bindings, now: now() })
      return { pendingOrder: content.pendingOrder, skill, quote: await quotes.of(content, 'a2a'), ...state }
    },
    cancel: (taskId) => end(taskId, CANCELED),
    fail: (taskId, code, why) => end(taskId, code, why),
  }

  /** The sealed content of an ended task keeps what is still shown of it, and no verdict. */
  async function end(taskId: string, code: ErrorCode | typeof CANCELED, why?: string): Promise<boolean> {
    const key = taskKeyOf(taskId)
    const task = await ledger.findTask(key)
    const content = task === null ? null : unseal(keys, taskId, task.sealed)
    if (content === null) return false
    const kept = { ...content, verdicts: [] as const, ...(why === undefined ? {} : { why }) }
    return ledger.endTask(key, code, seal(keys, taskId, kept), now())
  }
}
