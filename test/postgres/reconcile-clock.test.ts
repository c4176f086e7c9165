import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import type { ChainBackend } from '../../src/sandbox/chain/anvil-backend.ts'
import { startAnvil } from '../support/chain-backends.ts'
import { runCli } from '../support/run-cli.ts'
import { testDatabases } from '../support/test-databases.ts'

const databases = testDatabases()
let chain: ChainBackend
beforeAll(async () => {
  chain = await startAnvil()
})
afterAll(() => chain.stop())

/** Loaded before the program: the clock of its machine is an hour ahead. */
const AHEAD = 'const now = Date.now; Date.now = () => now() + 3_600_000'

test('reconcile on a machine whose clock is ahead leaves a replica its turn: the clock is that of the store', async () => {
  const url = await databases.fresh()
  const ledger = await openPostgresLedger({ url })
  const now = ledger.clock.now()
  await ledger.acquireLock('reconcile eip155:8453', 'another replica', now, now + 600_000)
  const { code, stderr } = await runCli(['reconcile'], {
    PAY_TO: '0x8ba1f109551bd432803012645ac136ddd64dba72',
    BASE_URL: 'https://checks.example',
    FACILITATOR_URL: 'https://facilitator.invalid',
    RPC_URL: chain.rpcUrl,
    DATABASE_URL: url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    SIGNER_SOCKET: '/none',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(AHEAD)}`,
  })
  expect([code, stderr]).toEqual([1, expect.stringContaining('Another replica is reconciling')])
  await ledger.close()
})
