import { describe, expect, test } from 'vitest'
import { exportRows, type Write } from '../../../src/cli/operator/export-rows.ts'

const ROWS = [
  { day: '2026-11-20', count: 2 },
  { day: '2026-11-21', count: 3 },
]
const collect = (): { readonly write: Write; text(): string } => {
  const parts: string[] = []
  return { write: async (part) => void parts.push(part), text: () => parts.join('') }
}

describe('an export', () => {
  test('is CSV by RFC 4180: lines end in CR LF, also the last', async () => {
    const { write, text } = collect()
    await exportRows({ name: 'counts', columns: ['day', 'count'], rows: ROWS }, 'csv', write)
    expect(text()).toBe('day,count\r\n2026-11-20,2\r\n2026-11-21,3\r\n')
  })

  test('is one object of JSON, with the totals read at the end', async () => {
    const { write, text } = collect()
    let sum = 0
    async function* rows() {
      for (const row of ROWS) {
        sum += row.count
        yield row
      }
    }
    const total = () => ({ total: sum })
    await exportRows({ name: 'counts', columns: ['day', 'count'], rows: rows(), total }, 'json', write)
    expect(JSON.parse(text())).toEqual({ counts: ROWS, total: 5 })
  })

  test('of nothing is a heading, or an empty list', async () => {
    const [csv, json] = [collect(), collect()]
    await exportRows({ name: 'sales', columns: ['day'], rows: [] }, 'csv', csv.write)
    await exportRows({ name: 'sales', columns: ['day'], rows: [] }, 'json', json.write)
    expect([csv.text(), JSON.parse(json.text())]).toEqual(['day\r\n', { sales: [] }])
  })

  test('writes nothing on while there is no room', async () => {
    const room = new Promise((resolve) => setImmediate(resolve))
    let waiting = 0
    const write: Write = async () => {
      waiting += 1
      expect(waiting).toBe(1)
      await room
      waiting -= 1
    }
    await exportRows({ name: 'counts', columns: ['day', 'count'], rows: ROWS }, 'csv', write)
  })
})
