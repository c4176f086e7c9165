import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'
import { jsonOf } from './published.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ CONTACT_EMAIL: 'contact@checks.example' })
})
afterAll(() => service.stop())

describe('the MCP server card', () => {
  it('speaks of MCP, not of HTTP bodies', async () => {
    const { instructions, tools } = await jsonOf(service, '/.well-known/mcp/server-card.json')
    expect(instructions).toContain('_meta["x402/payment"]')
    for (const text of [
      instructions,
      ...tools.map(({ description }: { description: string }) => description),
    ])
      expect(text).not.toMatch(/\bPOST\b|\bbody\b|\bheader\b|PAYMENT-SIGNATURE/)
  })
})
