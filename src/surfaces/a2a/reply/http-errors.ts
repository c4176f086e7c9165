/** Refusals of HTTP's own, with a JSON-RPC body. */
import type { OutgoingHttpHeaders } from 'node:http'
import { detailOn, ERRORS, type ErrorCode } from '../../../errors.ts'
import { acceptedHeaders } from '../../../http/headers/accepted.ts'
import type { Quote } from '../../../payments/ports/sale.ts'
import { answerOverHttp } from './answer-sale.ts'
import { catalogued, cataloguedInfo, invalidRequest, protocolFault, type RpcError } from './rpc-error.ts'

export const METHOD = underStatus('method_not_allowed', invalidRequest(''), { Allow: 'POST, OPTIONS' })
export const TOO_LARGE = underStatus('body_too_large', invalidRequest(''))
export const ENCODING = underStatus(
  'unsupported_content_encoding',
  protocolFault('CONTENT_TYPE_NOT_SUPPORTED'),
)
export const MEDIA_TYPE = underStatus('unsupported_media_type', protocolFault('CONTENT_TYPE_NOT_SUPPORTED'))

/** A refusal of HTTP's own: the catalogue's words under the protocol's nearest code. */
function underStatus(code: ErrorCode, { error }: RpcError, headers: OutgoingHttpHeaders = {}): RpcError {
  const { status } = ERRORS[code]
  const detail = detailOn(code, 'a2a')
  const data = [...(error.data ?? []), cataloguedInfo(code)]
  return {
    status,
    headers: { ...headers, ...acceptedHeaders(code) },
    error: { code: error.code, message: detail, data },
    idless: true,
    catalogued: code,
  }
}

/** 429, with the seconds to wait. */
export function tooMany(seconds: number): RpcError {
  return catalogued('too_many_requests', { headers: { 'Retry-After': seconds } })
}

/** The answer to a body of length 0: registries send one to see whether an address asks for payment. */
export function probeFault(quote: Quote, channels: boolean): RpcError {
  const probe = answerOverHttp(
    { kind: 'unpaid', code: 'payment_required', quote },
    { answer: { headers: {} }, rawPayment: { kind: 'none' }, channels },
  )
  if (probe.kind !== 'fault') throw new Error('an unpaid sale is no fault')
  return probe.fault
}
