/** The SDK's JSON-RPC transport for both protocol versions, behind the validation. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { A2A_VERSION_HEADER, HTTP_EXTENSION_HEADER } from '@a2a-js/sdk'
import { LEGACY_HTTP_EXTENSION_HEADER } from '@a2a-js/sdk/compat/v0_3'
import { jsonRpcHandler } from '@a2a-js/sdk/server/express'
import express from 'express'
import { Caller, type RequestContext } from './request/request-context.ts'
import type { ValidatedRequest } from './request/validate-request.ts'
import { type HandlerDeps, requestHandler } from './request-handler.ts'

/** Hands a validated request on; `onDefect` hears of what falls through the SDK. */
export type Transport = (
  req: IncomingMessage,
  res: ServerResponse,
  request: ValidatedRequest,
  onDefect: (error?: unknown) => void,
) => void

/** Builds the transport as an application of its own, so that it works under any server and router. */
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
        // Else V8 keeps the context, and with it the call, until its next full collection.
        contexts.delete(req)
        return new Caller(requestContext)
      },
    }),
  )
  // An Express application turns plain requests into its own; its types say so for two parameters only.
  const handle = app as unknown as (
    req: IncomingMessage,
    res: ServerResponse,
    next: (error?: unknown) => void,
  ) => void

  return function transport(req, res, { requestContext, body }, onDefect) {
    contexts.set(req, requestContext)
    req.url = '/'
    // The body is read by now, under whatever type it came.
    req.headers['content-type'] = 'application/json'
    req.headers[A2A_VERSION_HEADER.toLowerCase()] = requestContext.version
    for (const name of [HTTP_EXTENSION_HEADER, LEGACY_HTTP_EXTENSION_HEADER]) {
      delete req.headers[name.toLowerCase()]
    }
    handle(Object.assign(req, { body }), res, onDefect)
  }
}
