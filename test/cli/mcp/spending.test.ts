import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSpending } from '../../../src/cli/mcp/spending.ts'
import { type ScratchDir, scratchDir } from '../../support/service-process.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const DAY_MS = 86_400_000

let scratch: ScratchDir
let path: string
beforeEach(() => {
  scratch = scratchDir()
  path = join(scratch.path, 'state', 'spending.sqlite')
})
afterEach(() => scratch.remove())

test('the limit of a day is never passed', () => {
  const spending = openSpending(path, 2_500n, () => NOON)
  const taken = [1_000n, 1_000n, 1_000n, 500n, 1n].map((amount) => spending.reserve(amount) !== null)
  expect(taken).toEqual([true, true, false, true, false])
  expect(spending.today()).toBe(2_500n)
  spending.close()
})

test('two processes share one limit', () => {
  const [one, other] = [openSpending(path, 1_000n, () => NOON), openSpending(path, 1_000n, () => NOON)]
  expect(one.reserve(1_000n)).not.toBeNull()
  expect(other.reserve(1_000n)).toBeNull()
  expect(other.today()).toBe(1_000n)
  one.close()
  other.close()
})

test('what is given back counts for the day it was taken from', () => {
  let now = NOON
  const spending = openSpending(path, 1_000n, () => now)
  const yesterday = spending.reserve(1_000n)
  now += DAY_MS
  expect(spending.today()).toBe(0n)
  expect(spending.reserve(1_000n)).not.toBeNull()
  yesterday?.release(1_000n)
  expect(spending.today()).toBe(1_000n)
  spending.close()
})

test('it outlives the process, for its owner alone', () => {
  const first = openSpending(path, 1_000n, () => NOON)
  first.reserve(400n)
  first.close()
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const second = openSpending(path, 1_000n, () => NOON)
  expect(second.today()).toBe(400n)
  second.close()
})
