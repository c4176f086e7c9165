import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

async function callTool(args: unknown, _meta: Record<string, unknown> = {}) {
  const params = { name: 'validate_iban', arguments: args, _meta }
  const response = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  return ((await response.json()) as { result: ToolResult }).result
}

interface ToolResult {
  readonly isError?: boolean
  readonly content: readonly { readonly text: string }[]
  readonly structuredContent?: { readonly error?: string }
  readonly _meta: Record<string, unknown>
}

describe('an error of a tool call', () => {
  test('without payment starts with a sentence that a model without a wallet can pass on', async () => {
    const { content, structuredContent, _meta } = await callTool({ value: 'x' })
    expect(structuredContent?.error).toMatch(
      /^This call costs \$0\.001 in USDC on Base\. Nothing was charged\. To get the result, .* tell the user the price\.$/,
    )
    expect(content[0]?.text).toBe(JSON.stringify(structuredContent))
    expect(_meta['format-checker/error']).toEqual({
      code: 'payment_required',
      charged: false,
      retry: 'new_payment',
    })
  })

  test('of the arguments says that they are to be corrected', async () => {
    const { content, _meta } = await callTool({})
    expect(content[0]?.text).toBe(
      'value_missing: The arguments must have a member "value" with the string to check.',
    )
    expect(_meta['format-checker/error']).toEqual({ code: 'value_missing', charged: false, retry: 'fix' })
  })

  test('of a payment that cannot be read names where MCP carries payments', async () => {
    const { structuredContent, _meta } = await callTool({ value: 'x' }, { 'x402/payment': 'no' })
    expect(structuredContent?.error).toMatch(/^payment_malformed: .*_meta\["x402\/payment"\]/)
    expect(_meta['format-checker/error']).toMatchObject({ charged: false, retry: 'new_payment' })
  })
})
