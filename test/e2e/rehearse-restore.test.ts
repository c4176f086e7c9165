import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test as anyTest, expect } from 'vitest'
import { callRpc } from '../../src/sandbox/chain/json-rpc.ts'
import { outcomeOf, ROOT } from '../support/command.ts'
import { liveStage } from '../support/live-stage.ts'
import { LACKS } from '../support/platform.ts'

const test = anyTest.skipIf(LACKS.shell)

const IBAN = 'PL61109010140000071219812874'

const live = liveStage()

const sell = async (type: string, value: string) => {
  const sold = await live.service.check(type, value, {
    'PAYMENT-SIGNATURE': await live.world.pay(live.world.buyer),
  })
  expect(sold.status).toBe(200)
}
/** The command of operations.md that copies a store beside the service; a script stands in for `sqlite3`. */
const backUp = (file: string) => {
  const docs = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')
  const [, command = ''] =
    /`([^`]*sqlite3 -readonly ledger\.sqlite "VACUUM INTO 'copy\.sqlite'"[^`]*)`/.exec(docs) ?? []
  const folder = join(live.world.path, 'bin')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'sqlite3'), SQLITE3, { mode: 0o755 })
  execFileSync('sh', ['-c', `umask 022; ${command.replace('copy.sqlite', file)}`], {
    cwd: live.settings.DATA_DIR,
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
  })
}
const SQLITE3 = `#!${process.execPath}
const [, , readonly, file, statement] = process.argv
const Database = require(${JSON.stringify(createRequire(import.meta.url).resolve('better-sqlite3'))})
new Database(file, { readonly: readonly === '-readonly' }).exec(statement)
`
const rehearse = (file: string, ...rest: readonly string[]) =>
  outcomeOf([join(ROOT, 'scripts/rehearse-restore.ts'), file, ...rest], {
    env: { ...live.settings, TMPDIR: live.world.path },
  })

test('a backup is put back beside the running service, and the sale after it is found on the chain', async () => {
  await sell('iban', IBAN)
  const since = new Date(Date.now() - 60_000).toISOString()
  const file = join(live.world.path, 'copy.sqlite')
  backUp(file)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const bytes = readFileSync(file)
  await sell('email', 'someone@example.org')
  await callRpc(live.world.sandbox.rpcUrl ?? '', 'anvil_mine', ['0x14'])

  const { code, stdout, stderr } = await rehearse(file, since)
  expect([code, stderr]).toEqual([0, []])
  expect(stdout.join('\n')).toMatch(
    /restored 1 .*\n[\s\S]*payments 1 {2}in the backup\n {2}payments 2 {2}after/,
  )
  expect(readFileSync(file).equals(bytes)).toBe(true)
  expect(readdirSync(live.world.path).filter((name) => name.startsWith('format-checker-rehearsal'))).toEqual(
    [],
  )
  expect(live.service.rows()).toHaveLength(2)
})

test('a damaged backup is refused, and nothing is left behind', async () => {
  const file = join(live.world.path, 'damaged.sqlite')
  writeFileSync(file, 'not a store')
  const { code, stderr } = await rehearse(file, '2026-11-20T04:00:00Z')
  expect([code, stderr.join()]).toEqual([1, 'the backup is no sound SQLite store of this service'])
  expect(existsSync(file)).toBe(true)
})

test('without a backup it says how it is used', async () => {
  expect((await rehearse(join(live.world.path, 'nowhere.sqlite'))).code).toBe(2)
})

test('it finds the command line in a folder whose name has spaces and letters of other languages', async () => {
  const folder = join(live.world.path, 'Prüf 100% #1')
  for (const name of ['scripts', 'bin']) mkdirSync(join(folder, name), { recursive: true })
  const script = join(folder, 'scripts/rehearse-restore.ts')
  copyFileSync(join(ROOT, 'scripts/rehearse-restore.ts'), script)
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'bin/format-checker.js'), 'console.log("caught up")')
  const file = join(folder, 'copy.sqlite')
  backUp(file)
  const { code, stdout } = await outcomeOf([script, file, new Date().toISOString()], {
    env: { TMPDIR: folder },
  })
  expect([code, stdout[0]]).toEqual([0, 'caught up'])
})
