/**
 * The agent behind the SDK's transport.
 *
 * The SDK's default request handler is not used: it keeps the client's message in history, store, event bus and error
 * texts, and shows every client's tasks to every other.
 */
import type { AgentCard, Message, Task } from '@a2a-js/sdk'
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server'
import { v4 as newId } from 'uuid'
import type { SkillRegistry } from '../../catalog/skill.ts'
import { StoreUnavailable } from '../../ledger/store-unavailable.ts'
import { SignerUnavailable } from '../../payments/ports/signer.ts'
import { UNPAID_TASK_LIFE_MS } from '../../payments/sale/tasks/hold-verdict.ts'
import { declinedFault } from './reply/answer-sale.ts'
import { fault, type Outcome, result } from './reply/outcome.ts'
import { helpRenderer, type Understood } from './reply/render-help.ts'
import { INTERNAL_ERROR, Refused } from './reply/rpc-error.ts'
import { readPaymentSignal } from './request/payment-metadata.ts'
import { type RequestContext, requestContextOf } from './request/request-context.ts'
import { skillRouter } from './request/route-skill.ts'
import { cancelTask } from './task/cancel-task.ts'
import { continueTask } from './task/continue-task.ts'
import { executeOrder, isOverHttp } from './task/execute-order.ts'
import { getTask } from './task/stored-task.ts'
import type { SaleDeps } from './task/task-context.ts'
import { unpaidShares } from './task/unpaid-shares.ts'

export interface HandlerDeps extends SaleDeps {
  readonly registry: SkillRegistry
  readonly card: AgentCard
}

type SendParams = Parameters<A2ARequestHandler['sendMessage']>[0]

/** Values of unpaid tasks that are stored for one address, and for all; each takes about 4 kB. */
const UNPAID_PER_ADDRESS = 1_000
const MOST_UNPAID = 20_000

/** A2A 1.0, section 3.1.4. */
const DEFAULT_PAGE_SIZE = 50

export function requestHandler(deps: HandlerDeps): A2ARequestHandler {
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
      requestContext.answer.outcome = 'free'
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

  const handler: Answered = {
    getAgentCard: async () => deps.card,
    sendMessage: (params, context) => answered(context, (requestContext) => send(params, requestContext)),
    getTask: ({ id, historyLength }, context) =>
      answered(context, () => getTask(taskContext, id, historyLength)),
    cancelTask: ({ id }, context) => answered(context, () => cancelTask(taskContext, id)),
    // There are no accounts, so tasks cannot be listed; the unguessable id is the only access.
    listTasks: async ({ pageSize = DEFAULT_PAGE_SIZE }) => ({
      tasks: [],
      nextPageToken: '',
      pageSize,
      totalSize: 0,
    }),
  }
  // Validation refuses every other operation before the SDK calls it (request/methods.ts).
  return handler as A2ARequestHandler
}

type Answered = Pick<
  A2ARequestHandler,
  'getAgentCard' | 'sendMessage' | 'getTask' | 'cancelTask' | 'listTasks'
>

async function answered<T>(
  context: ServerCallContext,
  operate: (requestContext: RequestContext) => Promise<Outcome<T>>,
): Promise<T> {
  const requestContext = requestContextOf(context)
  const outcome = await operate(requestContext).catch((error: unknown) => {
    if (error instanceof StoreUnavailable) return fault(STORE_UNAVAILABLE)
    // A paid task is shown with a receipt, which needs the signer.
    if (error instanceof SignerUnavailable) return fault(PAYMENT_IN_DOUBT)
    requestContext.answer.defect = error
    return fault(INTERNAL_ERROR)
  })
  if (outcome.kind === 'result') return outcome.result
  requestContext.answer.fault = outcome.fault
  throw new Refused(outcome.fault)
}

const STORE_UNAVAILABLE = declinedFault({ kind: 'declined', code: 'store_unavailable' })
const PAYMENT_IN_DOUBT = declinedFault({ kind: 'declined', code: 'payment_in_doubt' })
