/** Operations on stored tasks: shown, canceled, and paid for by a later message without the value. */
import type { Task } from '@a2a-js/sdk'
import type { ErrorCode } from '../../../errors.ts'
import type { RawPayment, Sale, SealedCall } from '../../../payments/sale.ts'
import type { TaskView } from '../../../payments/task.ts'
import { answerInBand, answerOverHttp } from '../reply/answer-sale.ts'
import { fault, type Outcome, result } from '../reply/outcome.ts'
import { invalidParams, protocolFault } from '../reply/rpc-error.ts'
import type { PaymentSignal } from '../request/payment-metadata.ts'
import { isVersion1, limiterWeight, type RequestContext } from '../request/request-context.ts'
import { readMemo } from './memo.ts'
import { renderTask, type ShownState } from './render-task.ts'
import type { SaleDeps } from './task-context.ts'
import type { UnpaidShares } from './unpaid-shares.ts'

/** A message that names a task. */
export interface FollowUp {
  readonly taskId: string
  /** Empty when the message names none. */
  readonly contextId: string
  readonly signal: PaymentSignal
  readonly requestContext: RequestContext
  readonly historyLength: number | undefined
}

export interface TaskOperations {
  show(taskId: string, historyLength: number | undefined): Promise<Outcome>
  cancel(taskId: string): Promise<Outcome>
  /** Answers a follow-up; nothing in its parts is read. */
  follow(message: FollowUp): Promise<Outcome>
}

/** The ids of this service; no other id names a task. */
const TASK_ID = /^[A-Za-z0-9_-]{16,128}$/

/** Builds the three operations. */
export function taskOperations(
  { sell, tasks }: Pick<SaleDeps, 'sell' | 'tasks'>,
  shares: UnpaidShares,
): TaskOperations {
  async function read(taskId: string): Promise<TaskView | null> {
    return TASK_ID.test(taskId) ? tasks.read(taskId) : null
  }

  async function show(taskId: string, historyLength: number | undefined): Promise<Outcome> {
    const view = await read(taskId)
    return view === null ? NOT_FOUND : result(render(taskId, view, historyLength))
  }

  async function cancel(taskId: string): Promise<Outcome> {
    const view = await read(taskId)
    if (view === null) return NOT_FOUND
    const canceled = view.state === 'unpaid' && (await tasks.cancel(taskId))
    if (canceled) shares.remove(taskId)
    return canceled ? result(render(taskId, view, undefined, { state: 'canceled' })) : NOT_CANCELABLE
  }

  async function follow(message: FollowUp): Promise<Outcome> {
    const { taskId, contextId, signal, requestContext, historyLength } = message
    const view = await read(taskId)
    if (view === null) return NOT_FOUND
    const memo = readMemo(view.memo)
    requestContext.answer.type = memo.list?.type ?? view.skill.id
    if (contextId !== '' && contextId !== memo.contextId) return OTHER_CONTEXT
    const byHeader =
      requestContext.rawPayment.kind === 'text' || requestContext.rawPayment.kind === 'repeated'
    if (byHeader || signal.kind === 'submitted')
      requestContext.answer.weight = limiterWeight(memo.list?.items ?? 1)
    if (byHeader) return payByHeader(message, view)
    if (signal.kind === 'submitted') return payInBand(message, view, signal.rawPayment)
    if (signal.kind === 'rejected' && view.state === 'unpaid') return cancel(taskId)
    if (view.state !== 'unpaid' && view.state !== 'working') return TERMINAL
    if (view.state === 'unpaid') requestContext.answer.outcome = 'payment_required'
    return result(render(taskId, view, historyLength))
  }

  async function payByHeader(
    { taskId, requestContext, historyLength }: FollowUp,
    view: TaskView,
  ): Promise<Outcome> {
    if (view.state === 'canceled') return TERMINAL
    const { rawPayment, answer } = requestContext
    const sale: Sale =
      rawPayment.kind === 'repeated'
        ? { kind: 'unpaid', code: 'payment_malformed', quote: view.quote }
        : await sell(callOf(taskId, requestContext), rawPayment)
    const translated = answerOverHttp(sale, answer, isVersion1(rawPayment))
    return translated.kind === 'fault'
      ? translated
      : result(render(taskId, view, historyLength, translated.taskState))
  }

  async function payInBand(message: FollowUp, view: TaskView, rawPayment: RawPayment): Promise<Outcome> {
    const { taskId, requestContext, historyLength } = message
    if (view.state === 'canceled') return TERMINAL
    // A failed task goes to the sale too: the refusal may be retried, or may have been wrong.
    const sale = await sell(callOf(taskId, requestContext), rawPayment)
    if (sale.kind === 'declined' && sale.code === 'task_not_found') return show(taskId, historyLength)
    if (sale.kind === 'sold') shares.remove(taskId)
    const translated = answerInBand(
      sale,
      requestContext,
      rawPayment.kind === 'object' ? rawPayment.payload : undefined,
    )
    if (translated.kind === 'fault') return translated
    const { taskState } = translated
    if (taskState.state === 'failed') return fail(message, view, taskState, taskState.code)
    return result(render(taskId, view, historyLength, taskState))
  }

  /** Ends the task as failed; shows it unchanged if another payment is attached to it. */
  async function fail(
    message: FollowUp,
    view: TaskView,
    failed: ShownState,
    code: ErrorCode,
  ): Promise<Outcome> {
    const { taskId, historyLength } = message
    if (await tasks.fail(taskId, code)) return result(render(taskId, view, historyLength, failed))
    return show(taskId, historyLength)
  }

  return { show, cancel, follow }
}

/** The sealed call; what the sale counts against clients is counted against the one that sent this message. */
const callOf = (taskId: string, { client }: RequestContext): SealedCall => ({
  kind: 'sealed',
  surface: 'a2a',
  client,
  taskId,
})

const NOT_FOUND = fault(protocolFault('TASK_NOT_FOUND'))
const NOT_CANCELABLE = fault(protocolFault('TASK_NOT_CANCELABLE'))
const TERMINAL = fault(protocolFault('TASK_TERMINAL'))
const OTHER_CONTEXT = fault(invalidParams('message.contextId', 'is not the one of the task'))

function render(
  taskId: string,
  view: TaskView,
  historyLength: number | undefined,
  taskState: ShownState = stateOf(view),
): Task {
  const { memo, skill, quote } = view
  return renderTask({ taskId, ...readMemo(memo), skill, quote }, taskState, historyLength)
}

function stateOf(view: TaskView): ShownState {
  switch (view.state) {
    case 'sold':
      return { state: 'sold', verdicts: view.verdicts, settlement: view.settlement }
    case 'failed':
      return view.settlement === undefined
        ? { state: 'failed', code: view.code }
        : { state: 'failed', code: view.code, settlement: view.settlement }
    case 'unpaid':
      return view.awaitsRepeat === true
        ? { state: 'unpaid', refusal: { code: 'payment_in_doubt' } }
        : { state: 'unpaid' }
    default:
      return { state: view.state }
  }
}
