import { existsSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import type { ChainBackend } from '../../../src/sandbox/chain/anvil-backend.ts'
import { callRpc } from '../../../src/sandbox/chain/json-rpc.ts'
import { startAnvil } from '../../support/chain-backends.ts'
import { freshAccount, signPayment, termsFor, transferCall } from '../../support/chain-payments.ts'
import { startRpcProxy } from '../../support/rpc-proxy.ts'
import { runCli } from '../../support/run-cli.ts'
import { openTempLedger, rowFor, rowIn, type TempLedger } from '../../support/temp-ledger.ts'

const payer = freshAccount()
const payTo = freshAccount().address
const FREE = { owner: null, leaseUntil: 0 } as const

let chain: ChainBackend
let store: TempLedger
let settings: Record<string, string>

beforeAll(async () => {
  chain = await startAnvil()
  await chain.fund(payer.address, 1_000_000n)
})
afterAll(() => chain.stop())
beforeEach(async () => {
  store = await openTempLedger()
  settings = {
    PAY_TO: payTo,
    BASE_URL: 'https://checks.example',
    FACILITATOR_URL: 'https://facilitator.invalid',
    RPC_URL: chain.rpcUrl ?? '',
    DATA_DIR: store.dataDir,
  }
})
afterEach(async () => {
  if (existsSync(store.dataDir)) await store.close()
})

/** Releases the store for a run of the command line, and takes it again. */
async function reconcileAlone(args: readonly string[] = []) {
  await store.ledger.close()
  const run = await runCli(['reconcile', ...args], settings)
  store = { ...store, ledger: await openSqliteLedger({ dataDir: store.dataDir }) }
  return run
}

describe('reconciling by hand', () => {
  test('settles what the chain shows, buries what can no longer be, and prints what it found', async () => {
    const paid = await signPayment(payer, termsFor(payTo))
    const expired = await signPayment(payer, termsFor(payTo), {
      validBefore: String(Math.floor(Date.now() / 1000) - 60),
    })
    const alive = await signPayment(payer, termsFor(payTo))
    const doubtful = { state: 'in_doubt', ...FREE } as const
    const rows = [
      await rowIn(store.ledger, rowFor(paid), doubtful),
      await rowIn(store.ledger, rowFor(expired), doubtful),
      await rowIn(store.ledger, rowFor(alive), doubtful),
    ]
    const transaction = await chain.transact(TOKEN, transferCall(paid))
    // Beyond the depth at which a state counts as final.
    await callRpc(chain.rpcUrl ?? '', 'anvil_mine', ['0x14'])
    const { code, stdout, stderr } = await reconcileAlone(['--json'])
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({
      reconciled: { settled: 1, void: 1, open: 1, complete: true },
      audited: { missing: 0, complete: true },
      missing: [],
    })
    const states = await Promise.all(rows.map((row) => store.ledger.find(row)))
    expect(states.map((row) => row?.state)).toEqual(['settled', 'void', 'in_doubt'])
    expect(states[0]).toMatchObject({ transaction })

    const again = await reconcileAlone()
    expect(again.code).toBe(0)
    expect(again.stdout).toMatch(/settled {2}0 .*\n {2}void {5}0 .*\n {2}open {5}1 /)
  })

  test('beside a running service does nothing and says who does it', async () => {
    const { code, stdout, stderr } = await runCli(['reconcile'], settings)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).toContain('every minute')
  })

  test('over a node that does not answer changes nothing and names the setting', async () => {
    settings.RPC_URL = 'http://127.0.0.1:1'
    const { code, stderr } = await reconcileAlone()
    expect(code).toBe(1)
    expect(stderr).toContain('RPC_URL: the node does not answer')
  })

  test('over a node that stops answering in the middle is not done, and says so', async () => {
    await reconcileAlone()
    await callRpc(chain.rpcUrl ?? '', 'anvil_mine', ['0x20'])
    const node = await startRpcProxy(chain.rpcUrl ?? '')
    // The search for transfers without a row is the last look, and the only one with logs on an empty store.
    node.treat(({ method }) => (method === 'eth_getLogs' ? 'drop' : 'pass'))
    settings.RPC_URL = node.url
    const cut = await reconcileAlone()
    expect([cut.code, cut.stdout]).toEqual([1, expect.stringContaining('run it again')])
    const json = await reconcileAlone(['--json'])
    expect([json.code, JSON.parse(json.stdout).scanned.complete]).toEqual([1, false])
    const restored = await reconcileAlone(['--restored', '2020-01-01T00:00:00Z'])
    expect(restored).toMatchObject({ code: 1, stdout: '' })
    expect(restored.stderr).toBe('The node at RPC_URL stopped answering; run it again.')
    await node.stop()
  })

  test('beside a replica that reconciles says what it restored itself, and who finds the rest', async () => {
    const start = Date.now()
    await store.ledger.acquireLock('reconcile eip155:8453', 'another replica', start, start + 600_000)
    const time = new Date(start - 60_000).toISOString()
    const { code, stdout, stderr } = await reconcileAlone(['--restored', time, '--json'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('Another replica is reconciling')])
    expect(JSON.parse(stdout)).toEqual({
      restored: { restored: expect.any(Number), ignored: expect.any(Number) },
    })
    const text = await reconcileAlone(['--restored', time])
    expect(text.stdout).toMatch(/^payments since the backup\n {2}restored \d+ /)
  })

  test('on the wrong chain is refused, since every payment would look unused there', async () => {
    const expired = await signPayment(payer, termsFor(payTo), { validBefore: '1000' })
    const row = await rowIn(store.ledger, rowFor(expired), { state: 'in_doubt', ...FREE })
    await callRpc(chain.rpcUrl ?? '', 'anvil_setChainId', [1])
    const { code, stderr } = await reconcileAlone()
    await callRpc(chain.rpcUrl ?? '', 'anvil_setChainId', [8453])
    expect(code).toBe(1)
    expect(stderr).toContain('RPC_URL: the node serves another chain than Base')
    expect(await store.ledger.find(row)).toMatchObject({ state: 'in_doubt' })
  })

  test('in the sandbox is refused, and so are unknown options', async () => {
    expect(await runCli(['reconcile'])).toMatchObject({ code: 2, stdout: '' })
    expect(await runCli(['reconcile', '--all'], settings)).toMatchObject({ code: 2, stdout: '' })
  })
})
