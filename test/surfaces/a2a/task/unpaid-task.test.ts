/** The task that waits for payment says nothing of the verdict it waits with. */

import { CHECK_TYPES, type CheckType } from 'format-checker-checks/verdict'
import { describe, expect, it } from 'vitest'
import { vectors } from '../../../support/vectors.ts'
import { IN_BAND, order, sendRequest, taskRequest, VERSIONS } from '../a2a-client.ts'
import { startA2aService } from '../a2a-service.ts'

/** The first vector of each outcome of a type, and values of several lengths that no type takes. */
const valuesOf = (type: CheckType): readonly string[] => {
  const byCode = new Map(
    vectors(type)
      .toReversed()
      .map(({ code, value }) => [code, value]),
  )
  return [...byCode.values(), '', ' '.repeat(512), 'x'.repeat(512), '\u0000', '\u{1f642}']
}
const TASK_ID = '5f0c4a52-5c0e-4f3a-9a58-0c9d4b8f3f10'

describe.each(VERSIONS)('an unpaid task over %s', (version) => {
  it('is byte for byte the same for valid and invalid values of one type, and so are all its headers', async () => {
    const service = await startA2aService({ newTaskId: () => TASK_ID })
    for (const type of CHECK_TYPES) {
      const seen = new Set<string>()
      for (const value of valuesOf(type)) {
        const message = { parts: [order(type, value)], contextId: 'ctx', messageId: 'm' }
        const asked = await service.post(sendRequest(version, message), IN_BAND)
        const shown = await service.post(taskRequest(version, 'get', TASK_ID))
        const headers = [...asked.headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
        seen.add(JSON.stringify([asked.status, headers, asked.text, shown.text]))
      }
      expect(seen.size, type).toBe(1)
    }
    await service.close()
  })

  it('does not differ by type in anything but the names and words of the skill', async () => {
    const service = await startA2aService({ newTaskId: () => TASK_ID })
    const shapes = new Set<string>()
    for (const { id, summary } of service.registry.all) {
      const message = { parts: [order(id, '')], contextId: 'ctx', messageId: 'm' }
      const { text } = await service.post(sendRequest(version, message), IN_BAND)
      shapes.add(text.replaceAll(JSON.stringify(summary), '').replaceAll(id, ''))
    }
    expect(shapes.size).toBe(1)
    await service.close()
  })
})
