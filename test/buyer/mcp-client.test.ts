import { expect, test } from 'vitest'
import { toolOf } from '../../src/buyer/mcp-client.ts'
import { realRegistry } from '../support/registry.ts'

test('calls the tools by their published names', () => {
  for (const { id, operationId } of realRegistry().all) expect(toolOf(id)).toBe(operationId)
})
