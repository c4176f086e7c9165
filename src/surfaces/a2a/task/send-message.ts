/**
 * The SDK's default request handler keeps the client's message in history, store, event bus and error texts, and shows
 * every client's tasks to every other.
 */
import type { Message, Task } from '@a2a-js/sdk'
import type { A2ARequestHandler } from '@a2a-js/sdk/server'
import { v4 as newId } from 'uuid'
import type { SkillRegistry } from '../../../catalog/skill.ts'
import { type Outcome, result } from '../protocol/outcome.ts'
import { readPaymentSignal } from '../protocol/payment-metadata.ts'
import type { RequestContext } from '../protocol/request-context.ts'
import { invalidParams } from '../protocol/rpc-error.ts'
import { refusalFault } from '../reply/answer-sale.ts'
import { helpRenderer } from '../reply/render-help.ts'
import { skillRouter } from '../request/route-skill.ts'
import { continueTask } from './continue-task.ts'
import { executeOrder } from './execute-order.ts'
import type { TaskContext } from './task-context.ts'

export type SendMessage = (
  params: Parameters<A2ARequestHandler['sendMessage']>[0],
  requestContext: RequestContext,
) => Promise<Outcome<Message | Task>>

/** The task id is the only access to a verdict, so no task is looked up by its context. */
const NAMES_NO_TASK = invalidParams(
  'message.taskId',
  'must name the task that the payment is for; its contextId is not enough. The payment was not read, and nothing was charged by this message. Send the same payment with the id, and do not sign again because of this answer',
)

export function messageSender(context: TaskContext, registry: SkillRegistry): SendMessage {
  const { counter } = context
  const help = helpRenderer(registry)
  const routeSkill = skillRouter(registry)

  return async function sendMessage({ message, configuration }, requestContext) {
    if (message === undefined) throw new Error('a message was not validated')
    const { taskId } = message
    const signal = readPaymentSignal(message.metadata)
    const historyLength = configuration?.historyLength
    if (taskId !== '') {
      const { contextId } = message
      return continueTask(context, { taskId, contextId, signal, requestContext, historyLength })
    }
    const route = routeSkill(message)
    const paysForNothing =
      signal.kind === 'submitted' &&
      (route.kind === 'help' || (message.parts.length === 0 && message.contextId !== ''))
    if (route.kind === 'fault' && !paysForNothing) return route
    const contextId = message.contextId || newId()
    if (route.kind === 'help' || route.kind === 'fault') {
      const { res, payment } = requestContext
      const isPaid = payment.kind !== 'none' || signal.kind === 'submitted'
      // Such a payment is not read, so the request is one that brings none.
      const over = isPaid ? counter.admit(res, 'unpaid') : undefined
      if (over !== undefined) return refusalFault(over)
      counter.count(res, 'unpaid')
      if (paysForNothing || route.kind === 'fault') return NAMES_NO_TASK
      return result(help(contextId, route.mention, isPaid))
    }
    const { ordered, isInWords } = route
    return executeOrder(context, { ordered, isInWords, contextId, signal, requestContext, historyLength })
  }
}
