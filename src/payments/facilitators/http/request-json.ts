import type { Agent as HttpAgent } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import { isJsonType, OutboundFault, sendRequest } from '../../../outbound/send-request.ts'
import { parseJson } from '../../../values/json.ts'
import { FacilitatorFault, type Symptom } from '../facilitator-fault.ts'

const LARGEST_REPLY_BYTES = 64 * 1024

export interface JsonRequest {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly agent: HttpAgent | HttpsAgent
  /** For the whole reply; milliseconds of the monotonic clock. */
  readonly deadline: number
  /** 64 kB by default. */
  readonly largestReplyBytes?: number
}

export interface JsonReply {
  readonly status: number
  /** Parsed; undefined if it is not JSON. */
  readonly body: unknown
}

/**
 * The deadline covers connecting, sending and reading. Rejects with {@link FacilitatorFault}: `not_sent` while no connection
 * was up, `unknown` afterwards.
 */
export async function requestJson({
  deadline,
  largestReplyBytes = LARGEST_REPLY_BYTES,
  ...request
}: JsonRequest): Promise<JsonReply> {
  try {
    const timeoutMs = deadline - performance.now()
    const bounds = { timeoutMs, mostBytes: largestReplyBytes, expects: 'any' } as const
    const { status, text, headers } = await sendRequest({ ...request, ...bounds })
    return { status, body: isJsonType(headers.get('content-type')) ? parseJson(text) : undefined }
  } catch (error) {
    if (!(error instanceof OutboundFault)) throw error
    throw new FacilitatorFault(error.wasConnected ? 'unknown' : 'not_sent', error.message, {
      cause: error,
      symptom: symptomOf(error),
    })
  }
}

const symptomOf = ({ code, status }: OutboundFault): Symptom =>
  code === 'redirected' && status !== undefined ? { status } : { code }
