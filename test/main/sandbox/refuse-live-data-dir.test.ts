import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, readConfig, type SandboxConfig } from '../../../src/config.ts'
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts'
import { createLog } from '../../../src/log.ts'
import { startSandboxService } from '../../../src/main/sandbox/start-sandbox.ts'

test('the sandbox does not start in the directory of a live service', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'format-checker-test-'))
  const live = await openSqliteLedger({ dataDir })
  await live.close()
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0' }) as SandboxConfig
  const starting = startSandboxService(config, createLog({ level: 'silent' }))
  await expect(starting).rejects.toThrow(ConfigError)
  await expect(starting).rejects.toThrow(/^DATA_DIR: holds the ledger of a live service/)
  rmSync(dataDir, { recursive: true })
})
