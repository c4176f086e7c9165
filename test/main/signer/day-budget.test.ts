import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDayBudget } from '../../../src/main/signer/day-budget.ts'

const DAY_MS = 86_400_000

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'format-checker-test-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

test('a budget is whole again on the next day, and not on one that a clock goes back to', () => {
  let now = 20_000 * DAY_MS
  const budget = openDayBudget(join(directory, 'budget.json'), 10n, () => now)
  expect([budget.take(10n), budget.take(1n), budget.isSpent()]).toEqual([true, false, true])
  now -= 1
  expect([budget.take(1n), budget.isSpent()]).toEqual([false, true])
  now += DAY_MS
  expect(budget.take(1n)).toBe(false)
  now += 1
  expect([budget.isSpent(), budget.take(10n), budget.take(1n)]).toEqual([false, true, false])
  const reopened = openDayBudget(join(directory, 'budget.json'), 10n, () => now - DAY_MS)
  expect(reopened.take(1n)).toBe(false)
})
