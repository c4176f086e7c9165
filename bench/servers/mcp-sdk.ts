/** The least an MCP server can be with the SDK: one tool, no payment. */
import type { RequestListener } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { checkIban } from 'format-checker-checks/iban'
import { z } from 'zod/v4'
import { serve } from './tell-port.ts'

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'minimal', version: '1.0.0' })
  server.registerTool(
    'validate_iban',
    { description: 'Checks an IBAN', inputSchema: z.object({ value: z.string() }) },
    ({ value }) => {
      const verdict = checkIban(value)
      return { content: [{ type: 'text' as const, text: JSON.stringify(verdict) }] }
    },
  )
  return server
})
const handle = toNodeHandler(handler) as unknown as RequestListener
serve(handle)
