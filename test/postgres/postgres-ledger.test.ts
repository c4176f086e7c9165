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

const open = async () => {
  const ledger = await openPostgresLedger({ url: await server.freshDatabase() })
  return { ledger, close: ledger.close }
}

describeLedger('PostgreSQL', open)
describeChannelStore('PostgreSQL', open)
describeTaskHolds('PostgreSQL', open)
