/**
 * Both eras of the protocol at one URL.
 *
 * 2026-07-28 is served by the SDK's own handler. The revisions before it (2025-11-25 ... 2024-11-05) get a leg of their
 * own, because the SDK's answers them only as an event stream and with 406 to every client that does not accept both
 * forms; ours answers JSON, whatever a client says it accepts.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { INTERNAL_ERROR, inPlainWords } from './protocol-error.ts'
import type { RequestContext } from './request-context.ts'
import type { ServerFor } from './server.ts'

export interface Answer {
  readonly status: number
  readonly contentType: string | null
  /** Errors in it are in our own words. */
  readonly body: string
  /** True when the SDK failed on its own account. */
  readonly failed: boolean
}

export interface Eras {
  answer(message: unknown, requestContext: RequestContext): Promise<Answer>
  close(): Promise<void>
}

/** The headers the protocol reads; no other goes further. */
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

export function bothEras(endpoint: string, serverFor: ServerFor): Eras {
  const contexts = new WeakMap<Request, RequestContext>()
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const requestContext = requestInfo && contexts.get(requestInfo)
      if (requestContext === undefined) throw new Error('a request that did not come through this handler')
      return serverFor(requestContext)
    },
    { legacy: 'reject' },
  )

  return {
    async answer(message, requestContext) {
      const request = webRequest(endpoint, requestContext)
      if (await isLegacyRequest(request, message)) {
        return answerLegacy(request, message, requestContext, serverFor)
      }
      contexts.set(request, requestContext)
      try {
        return await read(request, await modern.fetch(request, { parsedBody: message }))
      } finally {
        // Else V8 keeps the context, and with it the call, until its next full collection.
        contexts.delete(request)
      }
    },
    close: () => modern.close(),
  }
}

function webRequest(endpoint: string, { req }: RequestContext): Request {
  // The transports ask for both forms.
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  })
  for (const name of PROTOCOL_HEADERS) {
    const value = req.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return new Request(endpoint, { method: 'POST', headers })
}

async function answerLegacy(
  request: Request,
  message: unknown,
  requestContext: RequestContext,
  serverFor: ServerFor,
): Promise<Answer> {
  const server = serverFor(requestContext)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await read(request, await transport.handleRequest(request, { parsedBody: message }))
  } finally {
    await server.close()
  }
}

async function read(request: Request, response: Response): Promise<Answer> {
  const { body, code } = inPlainWords(await response.text(), request.headers.get('mcp-protocol-version'))
  const contentType = response.headers.get('content-type')
  return { status: response.status, contentType, body, failed: code === INTERNAL_ERROR }
}
