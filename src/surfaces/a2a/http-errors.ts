import type { OutgoingHttpHeaders } from 'node:http'
import { detailOn, ERRORS, type ErrorCode } from '../../errors.ts'
import { acceptedHeaders } from '../../http/headers/accepted.ts'
import { cataloguedInfo, invalidRequest, protocolFault, type RpcError } from './protocol/rpc-error.ts'

export const METHOD = underStatus('method_not_allowed', invalidRequest(''), { Allow: 'POST, OPTIONS' })
export const TOO_LARGE = underStatus('body_too_large', invalidRequest(''))
export const ENCODING = underStatus(
  'unsupported_content_encoding',
  protocolFault('CONTENT_TYPE_NOT_SUPPORTED'),
)
export const MEDIA_TYPE = underStatus('unsupported_media_type', protocolFault('CONTENT_TYPE_NOT_SUPPORTED'))

function underStatus(code: ErrorCode, { error }: RpcError, headers: OutgoingHttpHeaders = {}): RpcError {
  const data = [...error.data, cataloguedInfo(code)]
  return {
    kind: 'fault',
    status: ERRORS[code].status,
    headers: { ...headers, ...acceptedHeaders(code) },
    error: { code: error.code, message: detailOn(code, 'a2a'), data },
    idless: true,
    catalogued: code,
  }
}
