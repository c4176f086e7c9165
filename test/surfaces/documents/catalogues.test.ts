import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Skill } from '../../../src/catalog/skill.ts'
import { x402Manifest } from '../../../src/surfaces/documents/catalogs/x402-manifest.ts'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'
import { pageContext } from '../site/site-service.ts'
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

it('the manifest of x402 lists the terms of each check on every network', () => {
  const context = pageContext()
  const accepts = (skill: Skill) => {
    const [first] = context.quote(skill, 'rest').required('payment_required').accepts
    return [first, { ...first, network: 'eip155:84532' }]
  }
  const quote = (skill: Skill) => {
    const required = { ...context.quote(skill, 'rest').required('payment_required'), accepts: accepts(skill) }
    return { required: () => required }
  }
  const { body } = x402Manifest({ ...context, quote, receipts: { did: '' } } as never)
  const offered = JSON.parse(String(body)).terms.map((each: { accepts?: object[] }) => each.accepts)
  expect(offered).toEqual([...context.skills.all.map(accepts), undefined])
})
