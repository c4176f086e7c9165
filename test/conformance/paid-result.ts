import assert from 'node:assert/strict'
import { assertListResults } from './orders.ts'

interface ToolResult {
  readonly isError?: boolean
  readonly structuredContent?: Record<string, unknown>
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly _meta?: Record<string, unknown>
}

/** A tool result says with a receipt that the value is valid. */
export function assertPaid(result: unknown, type: string): void {
  const { isError, structuredContent, content, _meta } = result as ToolResult
  assert.notEqual(isError, true, JSON.stringify(result))
  assert.equal(structuredContent?.type, type)
  assert.equal(structuredContent?.valid, true)
  assert.equal(content[0]?.text, JSON.stringify(structuredContent))
  const receipt = _meta?.['x402/payment-response'] as Record<string, unknown>
  assert.equal(receipt?.success, true)
  assert.match(String(receipt?.transaction), /^0x[0-9a-f]{64}$/)
}

/** A tool result holds the results of the list, with one receipt for all of them. */
export function assertPaidList(result: unknown): void {
  const { isError, structuredContent, content, _meta } = result as ToolResult
  assert.notEqual(isError, true, JSON.stringify(result).slice(0, 500))
  assertListResults(structuredContent?.results)
  assert.equal(content[0]?.text, JSON.stringify(structuredContent))
  const receipt = _meta?.['x402/payment-response'] as Record<string, unknown>
  assert.equal(receipt?.success, true)
}

/** A tool result names terms to pay by. */
export function assertTerms(result: unknown): void {
  const { isError, structuredContent, content, _meta } = result as ToolResult
  assert.equal(isError, true)
  assert.equal(structuredContent?.x402Version, 2)
  assert.equal(content[0]?.text, JSON.stringify(structuredContent))
  assert.deepEqual(_meta?.['x402/error'], structuredContent)
  const [terms] = structuredContent?.accepts as Record<string, unknown>[]
  assert.deepEqual([terms?.scheme, terms?.network, terms?.amount], ['exact', 'eip155:8453', '1000'])
}
