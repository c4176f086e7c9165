import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { UsageError } from '../../../../src/command-line/usage-error.ts'
import { BASE_SEPOLIA } from '../../../../src/payments/networks/base-sepolia.ts'
import { ROOT } from '../../../../test/support/command.ts'
import { LACKS } from '../../../../test/support/platform.ts'
import { type ScratchDir, scratchDir } from '../../../../test/support/service-process.ts'
import { openSpending } from '../../src/mcp/spending.ts'

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

test.each([
  ['of the file', 1_034],
  ['of its folder', 1_290],
])('after a failed flush %s nothing more is spent', (_of, errcode) => {
  const spending = openSpending(path, 9n, () => NOON)
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation((sql) => {
    if (sql === 'COMMIT') throw Object.assign(new Error('told to fail'), { errcode })
  })
  expect(() => spending.reserve(1n)).toThrow(/cannot be written \(SQLITE_IOERR\)/)
  exec.mockRestore()
  expect(() => spending.reserve(1n)).toThrow('nothing more is paid')
  spending.close()
})

test('each network has a limit of its own', () => {
  const real = openSpending(path, 1_000n, () => NOON)
  const rehearsal = openSpending(path, 1_000n, () => NOON, BASE_SEPOLIA)
  expect([real, rehearsal, real, rehearsal].map((each) => each.reserve(600n) !== null)).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect([real.today(), rehearsal.today()]).toEqual([600n, 600n])
  real.close()
  rehearsal.close()
})

test.skipIf(LACKS.proc).each(['/proc/none/state', '/dev/null/state'])(
  'below %s it cannot be written',
  (folder) => {
    expect(() => openSpending(join(folder, 'spending.sqlite'), 1n, () => NOON)).toThrow(
      /cannot be written \(E\w+\); name another/,
    )
  },
)

test('a disk that gives no room later is named as at the start', () => {
  const spending = openSpending(path, 1_000n, () => NOON)
  // SQLite writes its journal there first.
  mkdirSync(`${path}-journal`)
  expect(() => spending.reserve(1n)).toThrow(UsageError)
  expect(() => spending.reserve(1n)).toThrow(/cannot be written \(SQLITE_\w+\)/)
  spending.close()
})

test('two purses share one limit', () => {
  const [one, other] = [openSpending(path, 1_000n, () => NOON), openSpending(path, 1_000n, () => NOON)]
  expect(one.reserve(1_000n)).not.toBeNull()
  expect(other.reserve(1_000n)).toBeNull()
  expect(other.today()).toBe(1_000n)
  one.close()
  other.close()
})

/** A process that takes one unit after the other until the day's limit refuses it; it waits for the others' turns. */
function taker(limit: bigint) {
  const program = `
    import { setTimeout } from 'node:timers/promises'
    import { resultName } from './packages/command/src/buy/sqlite-file.ts'
    import { openSpending } from './packages/command/src/mcp/spending.ts'
    const spending = openSpending(${JSON.stringify(path)}, ${limit}n, () => ${NOON})
    for (let taken = 0; ; await setTimeout(1)) {
      try {
        if (spending.reserve(1n) !== null) taken += 1
        else process.exit(void console.log(taken))
      } catch (error) {
        if (resultName(error) !== 'SQLITE_BUSY') throw error
      }
    }`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { kill: () => child.kill('SIGKILL'), closed: once(child, 'close'), said: text(child.stdout) }
}

test('processes that spend at the same time take the limit together, and no more', async () => {
  const takers = [taker(150n), taker(150n), taker(150n)]
  const taken = await Promise.all(takers.map(({ said }) => said))
  expect(taken.reduce((sum, each) => sum + Number(each), 0)).toBe(150)
})

test('a process that is killed leaves the file to the others, with all that it took', async () => {
  const killed = taker(10n ** 15n)
  const spending = openSpending(path, 10n ** 15n, () => NOON)
  await expect.poll(() => spending.today()).toBeGreaterThan(5n)
  const seen = spending.today()
  killed.kill()
  await killed.closed
  const left = spending.today()
  expect(left).toBeGreaterThanOrEqual(seen)
  expect(spending.reserve(1n)).not.toBeNull()
  expect(spending.today()).toBe(left + 1n)
  spending.close()
})

test('a file that is no such database is refused by the name of the fault', () => {
  mkdirSync(dirname(path))
  writeFileSync(path, 'not a database, but long enough to be looked at as one'.repeat(20))
  expect(() => openSpending(path, 1_000n, () => NOON)).toThrow(
    'the file of the spending cannot be written (SQLITE_NOTADB); name another with --spending',
  )
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

test.skipIf(LACKS.modes)('it outlives the process, for its owner alone', () => {
  const first = openSpending(path, 1_000n, () => NOON)
  first.reserve(400n)
  first.close()
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const second = openSpending(path, 1_000n, () => NOON)
  expect(second.today()).toBe(400n)
  second.close()
})
