import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts'
import { describeChannelStore } from '../channel-contract.ts'

describeChannelStore('SQLite', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'format-checker-channels-'))
  const ledger = await openSqliteLedger({ dataDir })
  return {
    ledger,
    cleanUp: async () => {
      await ledger.close()
      rmSync(dataDir, { recursive: true })
    },
  }
})
