/**
 * The operations of the agent.
 *
 * The SDK's default request handler is not used: it keeps the client's message in history, store, event bus and error
 * texts, and shows every client's tasks to every other.
 */
import type { Message, Task } from '@a2a-js/sdk'
import type { A2ARequestHandler } from '@a2a-js/sdk/server'
import { v4 as newId } from 'uuid'
import type { SkillRegistry } from '../../catalog/skill.ts'
import { UNPAID_TASK_LIFE_MS } from '../../payments/sale/tasks/hold-verdict.ts'
import { type Outcome, result } from './reply/outcome.ts'
import { helpRenderer, type Understood } from './reply/render-help.ts'
import { readPaymentSignal } from './request/payment-metadata.ts'
import type { RequestContext } from './request/request-context.ts'
import { skillRouter } from './request/route-skill.ts'
import { cancelTask } from './task/cancel-task.ts'
import { continueTask } from './task/continue-task.ts'
import { executeOrder, isOverHttp } from './task/execute-order.ts'
import { getTask } from './task/stored-task.ts'
import type { SaleDeps } from './task/task-context.ts'
import { unpaidShares } from './task/unpaid-shares.ts'

export interface AgentDeps extends SaleDeps {
  readonly registry: SkillRegistry
}

export interface Agent {
  send(params: SendParams, requestContext: RequestContext): Promise<Outcome<Message | Task>>
  get(params: TaskParams): Promise<Outcome>
  cancel(params: TaskParams): Promise<Outcome>
}

type SendParams = Parameters<A2ARequestHandler['sendMessage']>[0]
type TaskParams = Pick<Parameters<A2ARequestHandler['getTask']>[0], 'id' | 'historyLength'>

/** Values of unpaid tasks that are stored for one address, and for all; each takes about 4 kB. */
const UNPAID_PER_ADDRESS = 1_000
const MOST_UNPAID = 20_000

export function createAgent(deps: AgentDeps): Agent {
  const taskContext = {
    ...deps,
    shares: unpaidShares({
      perAddress: UNPAID_PER_ADDRESS,
      most: MOST_UNPAID,
      lifeMs: UNPAID_TASK_LIFE_MS,
      now: () => performance.now(),
    }),
  }
  const help = helpRenderer(deps.registry)
  const routeSkill = skillRouter(deps.registry)

  async function send(
    { message, configuration }: SendParams,
    requestContext: RequestContext,
  ): Promise<Outcome<Message | Task>> {
    if (message === undefined) throw new Error('a message was not validated')
    const { taskId } = message
    const signal = readPaymentSignal(message.metadata)
    const historyLength = configuration?.historyLength
    if (taskId !== '') {
      return continueTask(taskContext, {
        taskId,
        contextId: message.contextId,
        signal,
        requestContext,
        historyLength,
      })
    }
    const route = routeSkill(message)
    if (route.kind === 'fault') return route
    const contextId = message.contextId || newId()
    const free = (understood: Understood) => {
      deps.counter.count(requestContext.res, requestContext.attempt)
      return result(help(contextId, understood))
    }
    if (route.kind === 'help') return free(route.understood)
    const { ordered, asked } = route
    const order = { ordered, asked, contextId, signal, requestContext, historyLength }
    // A paying fetch pays every 402, so only a text that plainly orders a check is answered with one.
    if (asked?.certain === false && isOverHttp(order)) {
      return free({ reason: 'not_ordered', skill: ordered.items[0].skill })
    }
    return executeOrder(taskContext, order)
  }

  return {
    send,
    get: ({ id, historyLength }) => getTask(taskContext, id, historyLength),
    cancel: ({ id }) => cancelTask(taskContext, id),
  }
}
