/** The task that waits for payment says nothing of the verdict it waits with. */
import { describe, expect, it } from 'vitest'
import type { CheckType } from '../../../../src/checks/verdict.ts'
import { IN_BAND, order, sendRequest, taskRequest, VERSIONS } from '../a2a-client.ts'
import { startA2aService } from '../a2a-service.ts'

/** A valid value of each type and invalid ones of several kinds and lengths. */
const VALUES: Readonly<Record<CheckType, readonly string[]>> = {
  iban: ['DE89370400440532013000', 'DE89370400440532013001', 'DE', '', 'x'.repeat(512), '\u0000', '🙂'],
  'eu-vat': ['PL1234563218', 'PL1234563219', 'GB999999973', 'de', '', ' '.repeat(512)],
  'pl-nip': ['1234563218', '123-456-32-18', '1234563219', '0000000000', '', 'PL1234563218'],
  'pl-regon': ['123456785', '12345678512347', '123456786', '1', ''],
  'pl-pesel': ['44051401359', '44051401358', '99999999999', '', '4405140135'],
  email: ['someone@example.com', 'someone@', '@', 'no-at', '', `${'a'.repeat(500)}@b.example`],
}
const TASK_ID = '5f0c4a52-5c0e-4f3a-9a58-0c9d4b8f3f10'

describe.each(VERSIONS)('an unpaid task over %s', (version) => {
  it('is byte for byte the same for valid and invalid values of one type, and so are all its headers', async () => {
    const service = await startA2aService({ newTaskId: () => TASK_ID })
    for (const [type, values] of Object.entries(VALUES)) {
      const seen = new Set<string>()
      for (const value of values) {
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
