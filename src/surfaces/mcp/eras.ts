/**
 * Both eras of the protocol at one URL.
 *
 * 2026-07-28 is served by the SDK's own handler. The revisions before it (2025-11-25 ... 2024-11-05) get a transport of
 * their own, because the SDK's answers them only as an event stream and with 406 to every client that does not accept
 * both forms; ours answers JSON, whatever a client says it accepts.
 */
import {
  classifyInboundRequest,
  createMcpHandler,
  type InboundLegacyRoute,
  isInitializeRequest,
  type JSONRPCMessage,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/server'
import { INTERNAL_ERROR, inPlainWords, TRANSPORT_ERROR } from './protocol-error.ts'
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

/** What the SDK's own transport answers a version with that it does not speak. */
const REFUSED_VERSION = JSON.stringify({
  jsonrpc: '2.0',
  error: { code: TRANSPORT_ERROR, message: '' },
  id: null,
})

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
      const [version, method, name] = PROTOCOL_HEADERS.map((header) => headerOf(requestContext, header))
      const route = classifyInboundRequest({
        httpMethod: 'POST',
        ...(version !== undefined && { protocolVersionHeader: version }),
        ...(method !== undefined && { mcpMethodHeader: method }),
        ...(name !== undefined && { mcpNameHeader: name }),
        body: message,
      })
      if (route.kind === 'legacy') {
        const isKnown = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version)
        return isKnown || isInitializeRequest(message)
          ? answerLegacy(route, message as JSONRPCMessage, serverFor(requestContext), version)
          : inOurWords(400, REFUSED_VERSION, version)
      }
      const request = webRequest(endpoint, requestContext)
      contexts.set(request, requestContext)
      try {
        const response = await modern.fetch(request, { parsedBody: message })
        const contentType = response.headers.get('content-type')
        return { ...inOurWords(response.status, await response.text(), version), contentType }
      } finally {
        // Else V8 keeps the context, and with it the call, until its next full collection.
        contexts.delete(request)
      }
    },
    close: () => modern.close(),
  }
}

function headerOf({ req }: RequestContext, name: (typeof PROTOCOL_HEADERS)[number]): string | undefined {
  const value = req.headers[name]
  return typeof value === 'string' ? value : undefined
}

function webRequest(endpoint: string, requestContext: RequestContext): Request {
  // The transports ask for both forms.
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  })
  for (const name of PROTOCOL_HEADERS) {
    const value = headerOf(requestContext, name)
    if (value !== undefined) headers.set(name, value)
  }
  return new Request(endpoint, { method: 'POST', headers })
}

/** Nothing stays open after the answer: neither the server nor its transport keeps a timer or a stream. */
async function answerLegacy(
  { reason }: InboundLegacyRoute,
  message: JSONRPCMessage,
  server: ReturnType<ServerFor>,
  version: string | undefined,
): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<JSONRPCMessage>()
  const transport: Transport = {
    start: async () => {},
    send: async (reply) => resolve(reply),
    close: async () => {},
  }
  await server.connect(transport)
  transport.onmessage?.(message)
  if (reason === 'notification' || reason === 'response') return { ...answerOf(202, ''), contentType: null }
  return inOurWords(200, JSON.stringify(await promise), version)
}

function inOurWords(status: number, text: string, version: string | undefined): Answer {
  const { body, code } = inPlainWords(text, version)
  return { ...answerOf(status, body), failed: code === INTERNAL_ERROR }
}

const answerOf = (status: number, body: string): Answer => ({
  status,
  contentType: 'application/json',
  body,
  failed: false,
})
