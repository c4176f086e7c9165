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
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/server'
import { errorBody, INTERNAL_ERROR, inPlainWords, OTHER_VERSION, TRANSPORT_ERROR } from './protocol-error.ts'
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

const JSON_TYPE = 'application/json'

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
      const [version, method, name] = PROTOCOL_HEADERS.map((header) => headerOf(requestContext, header))
      const route = classifyInboundRequest({
        httpMethod: 'POST',
        ...(version !== undefined && { protocolVersionHeader: version }),
        ...(method !== undefined && { mcpMethodHeader: method }),
        ...(name !== undefined && { mcpNameHeader: name }),
        body: message,
      })
      // What the SDK takes for a message of these revisions has the form of one.
      if (route.kind === 'legacy')
        return answerLegacy(message as JSONRPCMessage, version, serverFor(requestContext))
      const request = webRequest(endpoint, requestContext)
      contexts.set(request, requestContext)
      try {
        const response = await modern.fetch(request, { parsedBody: message })
        const { status, headers } = response
        return inOurWords(status, headers.get('content-type'), await response.text(), version)
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

/** Nothing stays open after the answer: the server and its transport keep no timer, and no stream. */
async function answerLegacy(
  message: JSONRPCMessage,
  version: string | undefined,
  server: ReturnType<ServerFor>,
): Promise<Answer> {
  if (
    version !== undefined &&
    !SUPPORTED_PROTOCOL_VERSIONS.includes(version) &&
    !isInitializeRequest(message)
  )
    return {
      status: 400,
      contentType: JSON_TYPE,
      body: errorBody(null, TRANSPORT_ERROR, OTHER_VERSION),
      failed: false,
    }
  const { promise, resolve } = Promise.withResolvers<JSONRPCMessage>()
  const transport: Transport = {
    start: async () => {},
    send: async (reply) => resolve(reply),
    close: async () => {},
  }
  await server.connect(transport)
  transport.onmessage?.(message)
  // Notifications, and answers to what nobody asked, are taken and not answered.
  if (!isJSONRPCRequest(message)) return { status: 202, contentType: null, body: '', failed: false }
  return inOurWords(200, JSON_TYPE, JSON.stringify(await promise), version)
}

function inOurWords(
  status: number,
  contentType: string | null,
  text: string,
  version: string | undefined,
): Answer {
  const { body, code } = inPlainWords(text, version)
  return { status, contentType, body, failed: code === INTERNAL_ERROR }
}
