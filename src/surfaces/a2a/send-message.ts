/**
 * The operation SendMessage.
 *
 * The SDK's default request handler is not used: it keeps the client's message in history, store, event bus and error
 * texts, and shows every client's tasks to every other.
 */
import type { Message, Task } from '@a2a-js/sdk'
import type { A2ARequestHandler } from '@a2a-js/sdk/server'
import { v4 as newId } from 'uuid'
import type { SkillRegistry } from '../../catalog/skill.ts'
import { type Outcome, result } from './reply/outcome.ts'
import { helpRenderer, type Understood } from './reply/render-help.ts'
import { readPaymentSignal } from './request/payment-metadata.ts'
import type { RequestContext } from './request/request-context.ts'
import { skillRouter } from './request/route-skill.ts'
import { continueTask } from './task/continue-task.ts'
import { executeOrder, isOverHttp } from './task/execute-order.ts'
import type { TaskContext } from './task/task-context.ts'

export type SendMessage = (
  params: Parameters<A2ARequestHandler['sendMessage']>[0],
  requestContext: RequestContext,
) => Promise<Outcome<Message | Task>>

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
    if (route.kind === 'fault') return route
    const contextId = message.contextId || newId()
    const free = (understood: Understood) => {
      counter.count(requestContext.res, requestContext.attempt)
      return result(help(contextId, understood))
    }
    if (route.kind === 'help') return free(route.understood)
    const { ordered, asked } = route
    const order = { ordered, asked, contextId, signal, requestContext, historyLength }
    // A paying fetch pays every 402, so only a text that plainly orders a check is answered with one.
    if (asked?.certain === false && isOverHttp(order)) {
      return free({ reason: 'not_ordered', skill: ordered.items[0].skill })
    }
    return executeOrder(context, order)
  }
}
