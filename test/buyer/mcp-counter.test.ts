import { expect, test } from 'vitest'
import { toolOf } from '../../src/buyer/mcp-counter.ts'
import { realRegistry } from '../support/registry.ts'

test('calls the tools by the names they are published under', () => {
  for (const { id, operationId } of realRegistry().all) expect(toolOf(id)).toBe(operationId)
})
