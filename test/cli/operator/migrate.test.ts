import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts'
import { runCli } from '../../support/run-cli.ts'
import { type ScratchDir, scratchDir } from '../../support/service-process.ts'
import { layUnreleasedStore, UNRELEASED } from '../../support/unreleased-store.ts'

let scratch: ScratchDir
let settings: Record<string, string>
beforeEach(() => {
  scratch = scratchDir()
  settings = {
    PAY_TO: `0x${'4f'.repeat(20)}`,
    BASE_URL: 'https://checks.example',
    FACILITATOR_URL: 'https://facilitator.invalid',
    RPC_URL: 'https://node.invalid',
    DATA_DIR: join(scratch.path, 'data'),
  }
})
afterEach(() => scratch.remove())

test('makes the store without questions, and may be run again', async () => {
  for (const _time of ['first', 'second']) {
    const done = await runCli(['migrate'], settings)
    expect(done).toEqual({ code: 0, stdout: 'The store is up to date.', stderr: '' })
  }
  expect(existsSync(join(scratch.path, 'data', 'ledger.sqlite'))).toBe(true)
})

test('leaves a store alone that a service runs on', async () => {
  const running = await openSqliteLedger({ dataDir: join(scratch.path, 'data') })
  expect(await runCli(['migrate'], settings)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^A service runs/),
  })
  await running.close()
})

test.each([['migrate'], ['stats']])('%s refuses a store from before the first release', async (command) => {
  layUnreleasedStore(settings.DATA_DIR as string)
  expect(await runCli([command], settings)).toMatchObject({ code: 1, stderr: UNRELEASED })
})

test.each([
  ['a setting that is missing', { DATA_DIR: '' }, 1, /^DATA_DIR: missing/],
  ['no settings at all', { PAY_TO: '', BASE_URL: '', FACILITATOR_URL: '', RPC_URL: '' }, 2, /live service/],
])('says what is wrong: %s', async (_what, change, code, words) => {
  expect(await runCli(['migrate'], { ...settings, ...change })).toMatchObject({
    code,
    stderr: expect.stringMatching(words),
  })
})
