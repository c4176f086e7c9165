import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { UNPAID_TASK_LIFE_MS } from '../../src/payments/sale/tasks/hold-verdict.ts'
import { type SaleBench, startSaleBench } from '../support/sale-bench.ts'

const TASKS = 10_000
const AT_ONCE = 500
const MEGABYTE = 1_048_576

let bench: SaleBench
beforeAll(async () => {
  bench = await startSaleBench()
})
afterAll(() => bench.stop())

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heldMemory(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

function inStore(): { rows: number; bytes: number } {
  const file = join(bench.dataDir, 'ledger.sqlite')
  const database = new Database(file, { readonly: true })
  const rows = database.prepare('select count(*) from tasks').pluck().get() as number
  database.close()
  return { rows, bytes: statSync(file).size }
}

/** Fills the store with unpaid tasks to its limit, and lets their life pass. */
async function fillAndExpire() {
  for (let made = 0; made < TASKS; made += AT_ONCE) {
    const outcomes = await Promise.all(
      Array.from({ length: AT_ONCE }, () => bench.layer.holdVerdict(bench.taskCall())),
    )
    for (const { kind } of outcomes) expect(kind).toBe('withheld')
  }
  expect(inStore().rows).toBe(TASKS)
  expect(await bench.layer.holdVerdict(bench.taskCall())).toMatchObject({ code: 'too_many_requests' })
  bench.clock.advance(UNPAID_TASK_LIFE_MS + 1)
  await bench.purge()
  return { memory: heldMemory(), ...inStore() }
}

test('ten thousand unpaid tasks leave memory and store flat once their life has passed', async () => {
  // What the first round leaves is what a warm process needs; a second one must not add to it.
  const first = await fillAndExpire()
  const second = await fillAndExpire()
  expect([first.rows, second.rows]).toEqual([0, 0])
  // Pages are used again, though not all of them fully.
  expect(second.bytes).toBeLessThan(first.bytes * 1.05)
  expect(second.memory - first.memory).toBeLessThan(4 * MEGABYTE)
})
