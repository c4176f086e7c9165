import type { IncomingMessage, ServerResponse } from 'node:http'
import { A2A_VERSION_HEADER, HTTP_EXTENSION_HEADER } from '@a2a-js/sdk'
import { LEGACY_HTTP_EXTENSION_HEADER } from '@a2a-js/sdk/compat/v0_3'
import { jsonRpcHandler } from '@a2a-js/sdk/server/express'
import express from 'express'
import { Caller, type RequestContext } from './request/request-context.ts'
import type { ValidatedRequest } from './request/validate-request.ts'
import { type HandlerDeps, requestHandler } from './request-handler.ts'

/** Passes a validated request to the SDK; `onDefect` is called for errors that the SDK does not answer. */
export type Transport = (
  req: IncomingMessage,
  res: ServerResponse,
  request: ValidatedRequest,
  onDefect: (error?: unknown) => void,
) => void

/** The SDK's JSON-RPC transport for both protocol versions, in an Express application of its own. */
export function sdkTransport(deps: HandlerDeps): Transport {
  const contexts = new WeakMap<object, RequestContext>()
  const app = express()
  app.disable('x-powered-by')
  app.use(
    jsonRpcHandler({
      requestHandler: requestHandler(deps),
      legacyCompat: { enabled: true },
      userBuilder: async (req) => {
        const requestContext = contexts.get(req)
        if (requestContext === undefined) throw new Error('a request was not validated')
        // V8 clears a WeakMap only in a full collection, which would keep the call in memory until then.
        contexts.delete(req)
        return new Caller(requestContext)
      },
    }),
  )
  // An Express application takes plain requests too; its types have no third parameter.
  const handle = app as unknown as (
    req: IncomingMessage,
    res: ServerResponse,
    next: (error?: unknown) => void,
  ) => void

  return function transport(req, res, { requestContext, body }, onDefect) {
    contexts.set(req, requestContext)
    req.url = '/'
    // The body was read as JSON under any media type.
    req.headers['content-type'] = 'application/json'
    req.headers[A2A_VERSION_HEADER.toLowerCase()] = requestContext.version
    for (const name of [HTTP_EXTENSION_HEADER, LEGACY_HTTP_EXTENSION_HEADER]) {
      delete req.headers[name.toLowerCase()]
    }
    handle(Object.assign(req, { body }), res, onDefect)
  }
}
