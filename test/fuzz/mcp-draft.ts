import { anyValue, bodyOf, head, type Maker } from './drafts.ts'
import { CANARY, hostileText } from './hostile-values.ts'
import type { Draft } from './write-request.ts'

export function mcpDraft(maker: Maker): Draft {
  const { random, host, purse } = maker
  const revision = random.pick(['2025-11-25', '2025-06-18', '2024-11-05', '2026-07-28', CANARY])
  const method = random.int(3) === 0 ? random.pick(MCP_METHODS) : 'tools/call'
  const params =
    method === 'tools/call'
      ? {
          name: random.int(10) === 0 ? hostileText(random) : 'validate_iban',
          arguments: { value: anyValue(maker) },
          ...(random.int(2) === 0 ? { _meta: { 'x402/payment': purse.payload(random) } } : {}),
        }
      : {
          uri: hostileText(random),
          protocolVersion: revision,
          capabilities: {},
          clientInfo: { name: CANARY, version: '1' },
        }
  const document = { jsonrpc: '2.0', id: random.int(1000), method, params }
  const named: [string, string][] =
    revision === '2026-07-28'
      ? [
          ['Mcp-Method', method],
          ['Mcp-Name', 'validate_iban'],
        ]
      : []
  const headers: [string, string][] = [
    ...head(random),
    ['Accept', random.pick(['application/json, text/event-stream', 'application/json', '*/*'])],
    ['MCP-Protocol-Version', revision],
    ...named,
  ]
  return {
    kind: 'MCP',
    method: 'POST',
    path: '/mcp',
    host,
    headers,
    body: bodyOf(document, random),
    surface: 'mcp',
  }
}

const MCP_METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'resources/list',
  'resources/read',
  'prompts/list',
  'logging/setLevel',
  'completion/complete',
  'server/discover',
  'notifications/initialized',
  CANARY,
] as const
