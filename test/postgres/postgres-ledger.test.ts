import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { describeChannelStore } from '../ledger/channel-contract.ts'
import { describeLedger } from '../ledger/ledger-contract.ts'
import { testDatabases } from '../support/test-databases.ts'

const databases = testDatabases()

/** A service gives up after seconds, and some of these tests write five hundred rows at once: a busy machine takes longer. */
const PATIENCE_MS = 100_000

const openAt = async (url: string) => {
  const ledger = await openPostgresLedger({
    url,
    statementTimeoutMs: PATIENCE_MS,
    poolWaitMs: PATIENCE_MS,
  })
  return { ledger, close: ledger.close }
}
const open = async () => openAt(await databases.fresh())

describeLedger('PostgreSQL', open)
describeChannelStore('PostgreSQL', open)
