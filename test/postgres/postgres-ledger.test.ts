import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { describeChannelStore } from '../ledger/channel-contract.ts'
import { describeTaskHolds } from '../ledger/hold-contract.ts'
import { describeLedger } from '../ledger/ledger-contract.ts'
import { testDatabases } from '../support/test-databases.ts'

const databases = testDatabases()

/** A service gives up after seconds, and some of these tests write five hundred rows at once: a busy machine takes longer. */
const PATIENCE_MS = 100_000

const open = async () => {
  const ledger = await openPostgresLedger({
    url: await databases.fresh(),
    statementTimeoutMs: PATIENCE_MS,
    poolWaitMs: PATIENCE_MS,
  })
  return { ledger, close: ledger.close }
}

describeLedger('PostgreSQL', open)
describeChannelStore('PostgreSQL', open)
describeTaskHolds('PostgreSQL', open)
