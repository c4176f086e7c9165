import type { ServerResponse } from 'node:http'
import { HTTP_EXTENSION_HEADER } from '@a2a-js/sdk'
import { LEGACY_HTTP_EXTENSION_HEADER } from '@a2a-js/sdk/compat/v0_3'
import { addHeaders, sendJson, whenDelivered } from '../../http/body/send.ts'
import type { Result } from './protocol/outcome.ts'
import type { RequestContext, RpcId } from './protocol/request-context.ts'
import type { RpcError } from './protocol/rpc-error.ts'

export function sendFault(
  res: ServerResponse,
  { status, headers, error, idless }: RpcError,
  id: RpcId,
): void {
  sendJson(res, { jsonrpc: '2.0', id: idless ? null : id, error }, { status, headers })
}

export function sendResult(res: ServerResponse, { result, headers = {}, delivered }: Result<unknown>): void {
  if (delivered !== undefined) whenDelivered(res, delivered)
  sendJson(res, result, { headers })
}

/** Confirms a client's extensions in the headers that it used itself, else in that of its version. */
export function echoExtensions({ res, extensions, extensionHeaders, version }: RequestContext): void {
  if (extensions.length === 0) return
  const usual = version === '0.3' ? LEGACY_HTTP_EXTENSION_HEADER : HTTP_EXTENSION_HEADER
  for (const name of extensionHeaders.length > 0 ? extensionHeaders : [usual])
    addHeaders(res, [name, extensions.join(', ')])
}
