/**
 * The SDK's own handler serves revision 2026-07-28. The older ones (2024-11-05 to 2025-11-25) have a transport here,
 * which always answers JSON: the SDK's answers as an event stream, and with 406 if a client does not accept both.
 */
import {
  classifyInboundRequest,
  createMcpHandler,
  type InboundLegacyRoute,
  isInitializeRequest,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server'
import { INTERNAL_ERROR, inPlainWords, TRANSPORT_ERROR } from './protocol-error.ts'
import type { RequestContext } from './request-context.ts'
import type { ServerFor } from './server.ts'
import { FIRST_OF_NEWER, HANDSHAKE_VERSIONS, MCP_VERSIONS, OLDEST_VERSIONS } from './versions.ts'

export interface Answer {
  readonly status: number
  readonly contentType: string | null
  readonly body: string
  /** True for an internal error of the SDK. */
  readonly failed: boolean
}

export interface Eras {
  answer(message: unknown, requestContext: RequestContext): Promise<Answer>
  close(): Promise<void>
}

/** The only headers that are passed on to the SDK. */
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

/** The answer of the SDK's own transport to a version that it does not support. */
const REFUSED_VERSION = JSON.stringify({
  jsonrpc: '2.0',
  error: { code: TRANSPORT_ERROR, message: '' },
  id: null,
})

export function bothEras(endpoint: string, serverFor: ServerFor): Eras {
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      if (!(requestInfo instanceof SdkRequest))
        throw new Error('a request that did not come through this handler')
      return serverFor(requestInfo.requestContext)
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
        const isKnown = version === undefined || MCP_VERSIONS.includes(version)
        const begins = isInitializeRequest(message)
        if (!isKnown && !begins) return inOurWords(400, REFUSED_VERSION, version)
        const isOld = begins && message.params.protocolVersion < FIRST_OF_NEWER
        const server = serverFor(requestContext, isOld ? OLDEST_VERSIONS : HANDSHAKE_VERSIONS)
        return answerLegacy(route, message as JSONRPCMessage, server, version)
      }
      const request = new SdkRequest(endpoint, requestContext)
      const response = await modern.fetch(request, { parsedBody: message })
      const contentType = response.headers.get('content-type')
      return { ...inOurWords(response.status, await response.text(), version), contentType }
    },
    close: () => modern.close(),
  }
}

function headerOf(
  { res: { req } }: RequestContext,
  name: (typeof PROTOCOL_HEADERS)[number],
): string | undefined {
  const value = req.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Takes its context through the SDK, which hands the request itself to its factory of servers. */
class SdkRequest extends Request {
  readonly requestContext: RequestContext

  constructor(endpoint: string, requestContext: RequestContext) {
    // The SDK answers 406 unless a client accepts both.
    const headers = new Headers({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    })
    for (const name of PROTOCOL_HEADERS) {
      const value = headerOf(requestContext, name)
      if (value !== undefined) headers.set(name, value)
    }
    super(endpoint, { method: 'POST', headers })
    this.requestContext = requestContext
  }
}

/** The server is not closed afterwards: neither it nor its transport has a timer or a stream. */
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
  if (reason === 'notification' || reason === 'response')
    return { status: 202, contentType: null, body: '', failed: false }
  return inOurWords(200, JSON.stringify(await promise), version)
}

function inOurWords(status: number, text: string, version: string | undefined): Answer {
  const { body, code } = inPlainWords(text, version)
  return { status, contentType: 'application/json', body, failed: code === INTERNAL_ERROR }
}
