/**
 * A task as it is shown, from what is known of it: the same whether it answers the paying message or GetTask.
 *
 * Ids of messages are made from the task's, and there are no time stamps, so two renderings of one state are
 * equal to the byte. An unpaid task is made from the skill and the terms alone: nothing in it can depend on the
 * verdict (test/surfaces/a2a/task/unpaid-task.test.ts).
 */
import { type Artifact, type Message, type Part, Role, type Task, TaskState } from '@a2a-js/sdk'
import type { SettleResponse } from '@x402/core/types'
import type { Verdict } from '../../../checks/verdict.ts'
import { ERRORS, type ErrorCode } from '../../../errors.ts'
import type { Quote } from '../../../payments/sale.ts'
import { PRICE_USD } from '../../../skills/price.ts'
import type { Skill } from '../../../skills/skill.ts'
import { type X402ErrorCode, x402ErrorCode } from '../reply/payment-errors.ts'
import {
  ERROR_KEY,
  type Metadata,
  RECEIPTS_KEY,
  REPLAYED_KEY,
  REQUIRED_KEY,
  STATUS_KEY,
} from '../request/payment-metadata.ts'

/** What every rendering needs. */
export interface Shown {
  readonly taskId: string
  readonly contextId: string
  readonly skill: Skill
  readonly quote: Quote
}

/** Where the task stands. */
export type Standing =
  /** `notCharged` when a payment was brought and not even sent. */
  | { readonly state: 'unpaid'; readonly notCharged?: boolean }
  | { readonly state: 'working' }
  | {
      readonly state: 'sold'
      readonly verdict: Verdict
      readonly settlement: SettleResponse
      readonly replayed?: boolean
    }
  | {
      readonly state: 'failed'
      readonly code: ErrorCode
      readonly settlement?: SettleResponse
      /** Where more is known than the code says. */
      readonly error?: X402ErrorCode
    }
  | { readonly state: 'canceled' }

/** Renders a task; `historyLength` trims the one neutral entry of its history. */
export function renderTask(shown: Shown, standing: Standing, historyLength?: number): Task {
  const { taskId, contextId, skill } = shown
  const { state, text, metadata } = statusOf(shown, standing)
  return {
    id: taskId,
    contextId,
    status: {
      state,
      message: message(shown, Role.ROLE_AGENT, standing.state, text, metadata),
      timestamp: undefined,
    },
    artifacts: standing.state === 'sold' ? [resultArtifact(standing.verdict)] : [],
    history:
      historyLength === 0
        ? []
        : [message(shown, Role.ROLE_USER, 'input', `${skill.id} check, input withheld`, undefined)],
    metadata: undefined,
  }
}

interface Status {
  readonly state: TaskState
  readonly text: string
  readonly metadata: Metadata
}

function statusOf({ skill, quote }: Shown, standing: Standing): Status {
  switch (standing.state) {
    case 'unpaid':
      return {
        state: TaskState.TASK_STATE_INPUT_REQUIRED,
        text: standing.notCharged === true ? NOT_CHARGED : `The ${skill.id} result is ready. ${HOW_TO_PAY}`,
        metadata: {
          [STATUS_KEY]: 'payment-required',
          [REQUIRED_KEY]: quote.required('payment_required'),
        },
      }
    case 'working':
      return {
        state: TaskState.TASK_STATE_WORKING,
        text: ERRORS.payment_in_doubt.detail,
        metadata: { [STATUS_KEY]: 'payment-verified' },
      }
    case 'sold':
      return {
        state: TaskState.TASK_STATE_COMPLETED,
        text: `Paid. The ${skill.id} result is in the artifact.`,
        metadata: {
          [STATUS_KEY]: 'payment-completed',
          [RECEIPTS_KEY]: [standing.settlement],
          ...(standing.replayed === true ? { [REPLAYED_KEY]: true } : {}),
        },
      }
    case 'failed':
      return {
        state: TaskState.TASK_STATE_FAILED,
        text: ERRORS[standing.code].detail,
        metadata: {
          [STATUS_KEY]: 'payment-failed',
          [ERROR_KEY]: standing.error ?? x402ErrorCode(standing.code),
          [RECEIPTS_KEY]: [standing.settlement ?? refusedReceipt(quote, standing.code)],
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

const HOW_TO_PAY =
  `Payment of USD ${PRICE_USD} releases it: sign one of the terms in ${REQUIRED_KEY} and send a message with this ` +
  'task id and the payload. The input need not be sent again.'
const NOT_CHARGED =
  'The payment could not be handed on. Nothing was charged; repeat the paying message unchanged later.'

/** A receipt for a payment that was refused before anything was sent. */
function refusedReceipt(quote: Quote, code: ErrorCode): SettleResponse {
  const [terms] = quote.required('payment_required').accepts
  if (terms === undefined) throw new Error('a quote without terms')
  return { success: false, errorReason: code, transaction: '', network: terms.network }
}

function resultArtifact(verdict: Verdict): Artifact {
  const sentence = `${verdict.type}: ${verdict.valid ? 'valid' : 'invalid'}. ${verdict.reason}`
  return {
    artifactId: 'result',
    name: 'format-check-result',
    description: '',
    parts: [dataPart(verdict), textPart(sentence)],
    metadata: undefined,
    extensions: [],
  }
}

function message(
  { taskId, contextId }: Shown,
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

/** A part of plain text. */
export function textPart(value: string): Part {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: 'text/plain' }
}

/** A part of JSON. */
export function dataPart(value: unknown): Part {
  return {
    content: { $case: 'data', value },
    metadata: undefined,
    filename: '',
    mediaType: 'application/json',
  }
}
