import { expect, test } from 'vitest'
import { realRegistry } from '../../support/registry.ts'
import { call, expectSmallTools, startMcp } from './mcp-service.ts'

const registry = realRegistry()
const PAID = { 'x402/payment': { x402Version: 2 } }

test('the published tools are small, without $schema and without composition in inputs', async () => {
  const mcp = await startMcp({ registry })
  const { json, text } = await mcp.modern({ method: 'tools/list' })
  expectSmallTools(json.result.tools)
  expect(text).not.toContain('$schema')
  for (const { inputSchema } of json.result.tools) {
    expect(inputSchema.type).toBe('object')
    expect(JSON.stringify(inputSchema)).not.toMatch(
      /"(anyOf|oneOf|allOf|not|if|\$ref|pattern|format|enum|const)"/,
    )
  }
  await mcp.close()
})

test('every example is answered with the bytes of its verdict, in both places and both eras', async () => {
  const mcp = await startMcp({ registry })
  for (const { operationId, examples, check } of registry.all) {
    for (const { input } of examples) {
      const verdict = JSON.stringify(check(input.value))
      for (const era of ['post', 'modern'] as const) {
        const { json, text } = await mcp[era](call(input.value, PAID, operationId))
        expect(json.result.content[0].text).toBe(verdict)
        expect(text).toContain(`"structuredContent":${verdict}`)
      }
    }
  }
  await mcp.close()
})
