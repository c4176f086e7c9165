import type { ListTasksResponse } from '@a2a-js/sdk'
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server'
import { type A2ARequestHandler, JsonRpcTransportHandler, ServerCallContext } from '@a2a-js/sdk/server'
import type { SkillRegistry } from '../../catalog/skill.ts'
import { logDefect } from '../../http/error-handler.ts'
import { requestIdOf } from '../../http/headers/request-id.ts'
import type { UnexpectedErrorLog } from '../../http/unexpected-error.ts'
import { StoreUnavailable } from '../../ledger/store/store-unavailable.ts'
import { retryAfterOf } from '../../payments/ports/consequences.ts'
import { SignerUnavailable } from '../../payments/ports/signer.ts'
import { type Outcome, result } from './protocol/outcome.ts'
import { INTERNAL_ERROR, type RpcError } from './protocol/rpc-error.ts'
import { refusalFault } from './reply/answer-sale.ts'
import type { ValidatedRequest } from './request/validate-request.ts'
import { messageSender } from './task/send-message.ts'
import { cancelTask, getTask } from './task/stored-task.ts'
import { type SaleDeps, taskContext } from './task/task-context.ts'

export interface TransportDeps extends SaleDeps {
  readonly registry: SkillRegistry
  readonly log: UnexpectedErrorLog
}

export type Transport = (request: ValidatedRequest) => Promise<Outcome<unknown>>

const DEFAULT_PAGE_SIZE = 50

/** Both protocol versions of the SDK translate a request and a result; errors are not left to them. */
export function sdkTransport(deps: TransportDeps): Transport {
  const { log } = deps
  const context = taskContext(deps)
  const sendMessage = messageSender(context, deps.registry)

  return async function transport({ requestContext, body }) {
    const { version, res } = requestContext
    let outcome: Outcome<unknown> = result(undefined)
    async function translated<T>(operation: Promise<Outcome<T>>): Promise<T> {
      const ended = await operation.catch(failed)
      outcome = ended
      if (ended.kind === 'result') return ended.result
      // Without words: the SDK hands the text of an exception to the client, and its answer is not sent.
      throw new Error()
    }
    const handler: Operations = {
      sendMessage: (params) => translated(sendMessage(params, requestContext)),
      getTask: ({ id, historyLength }) => translated(getTask(context, id, historyLength)),
      cancelTask: ({ id }) => translated(cancelTask(context, id)),
      // There are no accounts, so tasks cannot be listed; the unguessable id is the only access.
      listTasks: async ({ pageSize = DEFAULT_PAGE_SIZE }) => ({ ...NO_TASKS, pageSize }),
    }
    // Validation refuses every other operation before the SDK calls it (request/methods.ts).
    const operations = handler as A2ARequestHandler
    const response =
      version === '0.3'
        ? await new LegacyJsonRpcTransportHandler(operations).handle(body, new ServerCallContext())
        : await new JsonRpcTransportHandler(operations).handle(body, new ServerCallContext())
    if (outcome.kind === 'fault') return outcome
    if ('result' in response) return { ...outcome, result: response }
    // Validation leaves the SDK nothing to refuse. If it does refuse, its text is not sent.
    const entry = { requestId: requestIdOf(res), name: 'SdkError', at: [] }
    log.error(entry, 'the SDK refused a validated request')
    return INTERNAL_ERROR

    function failed(error: unknown): RpcError {
      if (error instanceof StoreUnavailable) return STORE_UNAVAILABLE
      // A paid task is shown with a receipt, which needs the signer.
      if (error instanceof SignerUnavailable) return PAYMENT_IN_DOUBT
      logDefect(log, res, error)
      return INTERNAL_ERROR
    }
  }
}

type Operations = Pick<A2ARequestHandler, 'sendMessage' | 'getTask' | 'cancelTask' | 'listTasks'>

const NO_TASKS: Omit<ListTasksResponse, 'pageSize'> = { tasks: [], nextPageToken: '', totalSize: 0 }

const unavailable = (code: 'store_unavailable' | 'payment_in_doubt'): RpcError =>
  refusalFault({ kind: 'declined', code, retryAfterSeconds: retryAfterOf({ code }) ?? 0 })

const STORE_UNAVAILABLE = unavailable('store_unavailable')
const PAYMENT_IN_DOUBT = unavailable('payment_in_doubt')
