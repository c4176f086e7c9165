import { afterAll, beforeAll } from 'vitest'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { describeChannelStore } from '../ledger/channel-contract.ts'
import { describeTaskHolds } from '../ledger/hold-contract.ts'
import { describeLedger } from '../ledger/ledger-contract.ts'
import { type PostgresServer, testServer } from '../support/postgres.ts'

let server: Pick<PostgresServer, 'freshDatabase' | 'remove'>

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.remove())

/** A service gives up after seconds, and some of these tests write five hundred rows at once: a busy machine takes longer. */
const PATIENCE_MS = 100_000

const open = async () => {
  const ledger = await openPostgresLedger({
    url: await server.freshDatabase(),
    statementTimeoutMs: PATIENCE_MS,
    poolWaitMs: PATIENCE_MS,
  })
  return { ledger, close: ledger.close }
}

describeLedger('PostgreSQL', open)
describeChannelStore('PostgreSQL', open)
describeTaskHolds('PostgreSQL', open)
