import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { claimed } from '../support/ledger-rows.ts'
import { run } from '../support/postgres.ts'
import { postgresStage } from '../support/postgres-stage.ts'
import { startPoolerWithoutOptions } from './startup-pooler.ts'

const stage = postgresStage()

let pooler: Awaited<ReturnType<typeof startPoolerWithoutOptions>>
let pooled: string
beforeEach(async () => {
  pooler = await startPoolerWithoutOptions(stage.server.port)
  pooled = stage.url.replace(`:${stage.server.port}/`, `:${pooler.port}/`)
})
afterEach(() => pooler.stop())

const setDefault = (setting: string) =>
  run(stage.url, `alter database ${new URL(stage.url).pathname.slice(1)} set ${setting}`)

test('a pooler that drops the settings of sessions is served where the defaults are safe', async () => {
  const ledger = await openPostgresLedger({ url: pooled })
  const row = await claimed(ledger)
  expect(await ledger.find(row)).toEqual(row)
  await ledger.close()
})

test.each([
  'synchronous_commit = off',
  "default_transaction_isolation = 'repeatable read'",
])('a default that is not ends the start behind it, and is overruled without it: %s', async (setting) => {
  await setDefault(setting)
  await expect(openPostgresLedger({ url: pooled })).rejects.toThrow(
    new RegExp(`^DATABASE_URL .*${setting.split(' ')[0]}.*pooler`),
  )
  await claimed(await stage.open())
})
