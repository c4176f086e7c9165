/**
 * The same in the answer to a message and to GetTask, to the byte: message ids follow from the task's id, and there are
 * no time stamps. An unpaid task follows from skill and terms, so it cannot depend on the verdict
 * (test/surfaces/a2a/task/unpaid-task.test.ts).
 */
import { type Message, Role, type Task, TaskState } from '@a2a-js/sdk'
import type { SettleResponse } from '@x402/core/types'
import type { Skill } from '../../../catalog/skill.ts'
import { detailOn, type ErrorCode, x402ErrorCode } from '../../../errors.ts'
import type { Quote } from '../../../payments/ports/sale.ts'
import { networkTitleOf, priceOf, quoteFor } from '../../../payments/terms/quote-for.ts'
import { paymentRequiredV1 } from '../../../payments/terms/terms-v1.ts'
import type { OfferedTerms } from '../protocol/extensions.ts'
import type { RenderedState } from '../protocol/outcome.ts'
import { textPart } from '../protocol/parts.ts'
import {
  ERROR_KEY,
  type Metadata,
  RECEIPTS_KEY,
  REPLAYED_KEY,
  REQUIRED_KEY,
  STATUS_KEY,
} from '../protocol/payment-metadata.ts'
import { QUOTE_KEY, questionOf, type TextQuote } from '../reply/text-quote.ts'
import type { PendingOrder } from './pending-order.ts'
import { errorMetadata, failureText, refusalMetadata, refusalText } from './refusal.ts'
import { resultArtifact, resultText } from './result-artifact.ts'

export interface TaskRendering extends PendingOrder {
  readonly taskId: string
  readonly skill: Skill
  readonly quote: Quote
  /** Present in the first answer to an order in words; it is not stored, so GetTask does not show it. */
  readonly asked?: TextQuote | undefined
}

/** The history has one entry, without the value; a `historyLength` of 0 leaves it out. */
export function renderTask(rendering: TaskRendering, taskState: RenderedState, historyLength?: number): Task {
  const { taskId, contextId } = rendering
  const { state, text, metadata } = statusOf(rendering, taskState)
  return {
    id: taskId,
    contextId,
    status: {
      state,
      message: message(rendering, Role.ROLE_AGENT, taskState.state, text, metadata),
      timestamp: undefined,
    },
    artifacts: taskState.state === 'sold' ? [resultArtifact(taskState.verdicts, rendering.list)] : [],
    history:
      historyLength === 0
        ? []
        : [message(rendering, Role.ROLE_USER, 'input', `${orderedOf(rendering)}, input withheld`, undefined)],
    metadata: undefined,
  }
}

interface Status {
  readonly state: TaskState
  readonly text: string
  readonly metadata: Metadata
}

function statusOf(rendering: TaskRendering, taskState: RenderedState): Status {
  const { quote, terms } = rendering
  switch (taskState.state) {
    case 'unpaid':
      return {
        state: TaskState.TASK_STATE_INPUT_REQUIRED,
        text: taskState.refusal === undefined ? howToPay(rendering) : refusalText(taskState.refusal),
        metadata: {
          [STATUS_KEY]: 'payment-required',
          ...(taskState.refusal?.quote === undefined
            ? termsOf(quoteFor(quote, rendering.asksForAllSchemes), terms)
            : { [REQUIRED_KEY]: taskState.refusal.quote.required('payment_required') }),
          ...(taskState.refusal === undefined ? {} : refusalMetadata(taskState.refusal)),
          ...(rendering.asked === undefined ? {} : { [QUOTE_KEY]: rendering.asked }),
        },
      }
    case 'working':
      return {
        state: TaskState.TASK_STATE_WORKING,
        text: detailOn('payment_in_doubt', 'a2a'),
        metadata: { [STATUS_KEY]: 'payment-verified', ...errorMetadata('payment_in_doubt') },
      }
    case 'sold':
      return {
        state: TaskState.TASK_STATE_COMPLETED,
        text: `Paid. ${resultText(taskState.verdicts, rendering.list)}`,
        metadata: {
          [STATUS_KEY]: 'payment-completed',
          [RECEIPTS_KEY]: [taskState.settlement],
          ...(taskState.replayed === true ? { [REPLAYED_KEY]: true } : {}),
        },
      }
    case 'failed':
      return {
        state: TaskState.TASK_STATE_FAILED,
        text: failureText(taskState),
        metadata: {
          [STATUS_KEY]: 'payment-failed',
          ...errorMetadata(taskState.code),
          [ERROR_KEY]: taskState.error ?? x402ErrorCode(taskState.code),
          [RECEIPTS_KEY]: [taskState.settlement ?? refusedReceipt(quote, taskState.code)],
        },
      }
    case 'canceled':
      return {
        state: TaskState.TASK_STATE_CANCELED,
        text: 'Canceled. Nothing was charged.',
        metadata: { [STATUS_KEY]: 'payment-rejected' },
      }
  }
}

function termsOf(quote: Quote, terms: OfferedTerms): Metadata {
  const version2 = quote.required('payment_required')
  return { [REQUIRED_KEY]: terms === '1' ? paymentRequiredV1(version2) : version2 }
}

function orderedOf({ skill, list }: TaskRendering): string {
  if (list === undefined) return `${skill.id} check`
  return `list of ${list.items} ${list.type === 'mixed' ? '' : `${list.type} `}checks`
}

function howToPay(rendering: TaskRendering): string {
  const { skill, list, asked } = rendering
  const required = rendering.quote.required('payment_required')
  const question = asked === undefined ? '' : `${questionOf(asked)} `
  const result = list === undefined ? `${skill.id} result` : orderedOf(rendering)
  return (
    `${question}The ${result} is ready and costs USD ${priceOf(required)}, paid in USDC on ` +
    `${networkTitleOf(required)} with x402; nothing was charged. Without a wallet, tell the user the price. ` +
    `With one, sign one of the terms in ${REQUIRED_KEY} and send a message with this task id and the ` +
    'signed payment in its metadata. A value in that message is not read; to check another value, send it without a ' +
    'task id.'
  )
}

function refusedReceipt(quote: Quote, code: ErrorCode): SettleResponse {
  const [terms] = quote.required('payment_required').accepts
  if (terms === undefined) throw new Error('a quote without terms')
  return { success: false, errorReason: code, transaction: '', network: terms.network }
}

function message(
  { taskId, contextId }: TaskRendering,
  role: Role,
  name: string,
  text: string,
  metadata: Metadata | undefined,
): Message {
  return {
    messageId: `${taskId}:${name}`,
    contextId,
    taskId,
    role,
    parts: [textPart(text)],
    metadata,
    extensions: [],
    referenceTaskIds: [],
  }
}
