/**
 * The agent behind the SDK's transport.
 *
 * It implements the SDK's request handler directly instead of using its default one, which keeps the caller's
 * raw message in task history, store, event bus and error texts, and shows every client's tasks to every other.
 */

import type { AgentCard } from '@a2a-js/sdk'
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server'
import { v4 as newId } from 'uuid'
import { StoreUnavailable } from '../../ledger/store-unavailable.ts'
import { SignerUnavailable } from '../../payments/ports/signer.ts'
import { UNPAID_TASK_LIFE_MS } from '../../payments/sale/tasks/hold-verdict.ts'
import type { SkillRegistry } from '../../skills/skill.ts'
import { fault, type Outcome, result, type SendOutcome } from './reply/outcome.ts'
import { helpRenderer, type Understood } from './reply/render-help.ts'
import { catalogued, Refused } from './reply/rpc-error.ts'
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

/** Unpaid values that are kept for one address, and for all: about 4 kB each. */
const UNPAID_PER_ADDRESS = 1_000
const MOST_UNPAID = 20_000

/** Page size if a client names none, A2A 1.0, section 3.1.4. */
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
  ): Promise<SendOutcome> {
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
    // A client over a paying fetch pays what it is asked to: only a plain order asks it.
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
  // Validation refuses every other operation before the SDK could ask for it (request/methods.ts).
  return handler as A2ARequestHandler
}

type Answered = Pick<
  A2ARequestHandler,
  'getAgentCard' | 'sendMessage' | 'getTask' | 'cancelTask' | 'listTasks'
>

/** Runs an operation; every error leaves as one of our own refusals. */
async function answered<T>(
  context: ServerCallContext,
  operate: (requestContext: RequestContext) => Promise<Outcome<T>>,
): Promise<T> {
  const requestContext = requestContextOf(context)
  const outcome = await operate(requestContext).catch((error: unknown) => {
    if (error instanceof StoreUnavailable) return fault(STORE_UNAVAILABLE)
    // A task that was paid for is shown with a receipt, which only the signer makes.
    if (error instanceof SignerUnavailable) return fault(PAYMENT_IN_DOUBT)
    requestContext.answer.defect = error
    return fault(INTERNAL_ERROR)
  })
  if (outcome.kind === 'result') return outcome.result
  requestContext.answer.fault = outcome.fault
  throw new Refused(outcome.fault)
}

const STORE_UNAVAILABLE = catalogued('store_unavailable', { headers: { 'Retry-After': 10 } })
const PAYMENT_IN_DOUBT = catalogued('payment_in_doubt', { headers: { 'Retry-After': 10 } })
const INTERNAL_ERROR = catalogued('internal_error', { rpcCode: -32603 })
