import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { openPostgresLedger, type PostgresOptions } from '../../src/ledger/postgres/postgres-ledger.ts'
import { StoreUnavailable } from '../../src/ledger/store/store-unavailable.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'

/** Longer than any of these tests: whatever ends a wait is what the test is about. */
const NEVER_MS = 100_000

/** For a test file that troubles a server: one of its own, an empty database for each test, and the ledgers opened. */
export function postgresStage() {
  const opened: Ledger[] = []
  let server: PostgresServer
  let url: string

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    url = await server.freshDatabase()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((ledger) => ledger.close()))
  })

  return {
    get server() {
      return server
    },
    /** The address of the test's database. */
    get url() {
      return url
    },
    /** Opens a ledger that is closed after the test. */
    async open(options: Partial<PostgresOptions> = {}): Promise<Ledger> {
      const ledger = await openPostgresLedger({ url, statementTimeoutMs: NEVER_MS, ...options })
      opened.push(ledger)
      return ledger
    },
  }
}

/** Holds for a call that fails for want of the store. */
export const unavailable = (call: Promise<unknown>) => expect(call).rejects.toThrow(StoreUnavailable)
