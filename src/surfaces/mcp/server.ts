/**
 * The MCP server of one request.
 *
 * It is the SDK's low-level `Server`: the high-level one validates arguments itself and quotes them in its errors.
 */
import {
  type CallToolResult,
  type Implementation,
  ProtocolError,
  Server,
  type ServerOptions,
  type Tool,
} from '@modelcontextprotocol/server'
import type { Executor } from '../call/skill-executor.ts'
import { INVALID_PARAMS, PARAM_FAULTS } from './protocol-error.ts'
import type { RequestContext } from './request-context.ts'
import type { Resources } from './resources.ts'
import { HANDSHAKE_VERSIONS } from './versions.ts'

export interface ServerParts {
  readonly executors: ReadonlyMap<string, Executor>
  readonly tools: readonly Tool[]
  callTool(executor: Executor, requestContext: RequestContext): Promise<CallToolResult>
  readonly resources: Resources
  readonly baseUrl: string
  readonly version: string
}

/** The SDK does not let one instance serve two requests. */
export type ServerFor = (requestContext: RequestContext, versions?: readonly string[]) => Server

const HOUR = { ttlMs: 3_600_000, cacheScope: 'public' } as const

/** No list changes while the process runs. */
const STATIC = { listChanged: false }

export const INSTRUCTIONS =
  'Checks the format and checksum of one identifier per tool call, or of up to 1,000 with validate_batch, offline. ' +
  'Each value costs a fixed price, paid with x402: the first result names the terms, and the same call with the signed ' +
  'payment in _meta["x402/payment"] returns the verdict. An invalid value is a paid result too; invalid arguments are ' +
  'free. Do not sign a second payment for a call in doubt: repeat it unchanged.'

export function serverFactory(parts: ServerParts): ServerFor {
  const { executors, resources } = parts
  const tools = { tools: [...parts.tools] }
  const list = { resources: resources.list }
  const info: Implementation = {
    name: 'format-checker',
    title: 'Format Checker',
    version: parts.version,
    websiteUrl: parts.baseUrl,
  }
  const options: ServerOptions = {
    instructions: INSTRUCTIONS,
    capabilities: { tools: STATIC, resources: STATIC, prompts: STATIC },
    cacheHints: {
      'server/discover': HOUR,
      'tools/list': HOUR,
      'resources/list': HOUR,
      'resources/templates/list': HOUR,
      'resources/read': HOUR,
      'prompts/list': HOUR,
    },
  }

  return function serverFor(requestContext, versions = HANDSHAKE_VERSIONS) {
    const server = new Server(info, { ...options, supportedProtocolVersions: [...versions] })
    server.setRequestHandler('tools/list', onePage(tools))
    server.setRequestHandler('tools/call', ({ params }) => {
      const executor = executors.get(params.name)
      if (executor === undefined) throw new ProtocolError(INVALID_PARAMS, PARAM_FAULTS.tool)
      return parts.callTool(executor, requestContext)
    })
    server.setRequestHandler('resources/list', onePage(list))
    server.setRequestHandler('resources/templates/list', onePage({ resourceTemplates: [] }))
    server.setRequestHandler('resources/read', ({ params }) => resources.read(params.uri))
    // Many clients ask for prompts whatever the capabilities say, and give up on an error.
    server.setRequestHandler('prompts/list', onePage({ prompts: [] }))
    server.setRequestHandler('prompts/get', () => {
      throw new ProtocolError(INVALID_PARAMS, PARAM_FAULTS.prompt)
    })
    return server
  }
}

/** No list has a second page, so no cursor was given out. */
const onePage =
  <Page>(page: Page) =>
  ({ params }: { readonly params?: { readonly cursor?: string | undefined } | undefined }): Page => {
    if (params?.cursor !== undefined) throw new ProtocolError(INVALID_PARAMS, PARAM_FAULTS.cursor)
    return page
  }
