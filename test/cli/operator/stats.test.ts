import { randomBytes } from 'node:crypto'
import { createPublicClient, http, parseAbi } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { newChannel } from '../../support/channel-rows.ts'
import { liveStage } from '../../support/live-stage.ts'
import { newPayment } from '../../support/payment-rows.ts'
import { runCli } from '../../support/run-cli.ts'
import { openTempLedger, rowIn, type TempLedger } from '../../support/temp-ledger.ts'

const SETTINGS = {
  PAY_TO: `0x${'12'.repeat(20)}`,
  BASE_URL: 'https://checks.example',
  FACILITATOR_URL: 'https://facilitator.example',
  RPC_URL: 'https://rpc.example',
}
const HEADER =
  'date,time_utc,usd,type,surface,values,own,payer,payee,network,asset,amount_atomic,transaction,on_chain'

describe('the export beside a running service', () => {
  const live = liveStage()

  test('adds up to exactly what the chain moved to the payee', async () => {
    const buyer = await live.world.newBuyer()
    const values = ['DE89370400440532013000', 'DE00', 'PL61109010140000071219812874']
    for (const value of values) {
      const paid = { 'PAYMENT-SIGNATURE': await live.world.pay(buyer) }
      expect((await live.service.check('iban', value, paid)).status).toBe(200)
    }
    const repeated = { 'PAYMENT-SIGNATURE': await live.world.pay(buyer) }
    for (let copy = 0; copy < 2; copy += 1) await live.service.check('email', 'a@example.com', repeated)
    await live.service.check('iban', 'DE00', { 'PAYMENT-SIGNATURE': 'bm90IG1vbmV5' })

    const client = createPublicClient({ transport: http(live.world.sandbox.rpcUrl ?? '') })
    const transfers = await client.getContractEvents({
      address: TOKEN,
      abi: parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']),
      eventName: 'Transfer',
      args: { to: live.world.sandbox.payTo },
      fromBlock: 0n,
    })
    const onChain = transfers.reduce((sum, { args }) => sum + (args.value ?? 0n), 0n)

    const { code, stdout } = await runCli(['stats', '--json'], live.settings)
    expect(code).toBe(0)
    const { sales, total } = JSON.parse(stdout)
    expect(total).toEqual({ sales: 4, amount_atomic: onChain.toString(), missing: 0 })
    expect(BigInt(total.amount_atomic)).toBe(4_000n)
    const named = sales.map(({ transaction }: { transaction: string }) => transaction)
    expect(named.toSorted()).toEqual(transfers.map(({ transactionHash }) => transactionHash).toSorted())
    expect(sales.map(({ payer }: { payer: string }) => payer)).toEqual(
      Array.from({ length: 4 }, () => buyer.address.toLowerCase()),
    )
    expect(stdout).not.toContain('DE89')
  })

  test('counts every outcome of the day', async () => {
    await expect
      .poll(async () => (await runCli(['stats', '--counts'], live.settings)).stdout)
      .toMatch(/^day,surface,type,outcome,count\n[\s\S]*,rest,iban,sold,3$/m)
  })
})

describe('the export of a store without a running service', () => {
  let store: TempLedger
  let settings: Record<string, string>
  beforeEach(async () => {
    store = await openTempLedger()
    settings = { ...SETTINGS, DATA_DIR: store.dataDir }
  })
  afterEach(() => store.close())

  const sell = (day: string, change = {}) =>
    rowIn(store.ledger, newPayment({ owner: null }), {
      state: 'settled',
      settledAt: Date.parse(day),
      transaction: `0x${'ab'.repeat(32)}`,
      ...change,
    })

  test('is CSV by default, from the first day to the last one included, in order', async () => {
    await sell('2026-03-31T23:59:59.999Z')
    const first = await sell('2026-04-01T00:00:00.000Z', { audit: 'found', logIndex: 3 })
    const last = await sell('2026-04-30T23:59:59.999Z', { audit: 'missing' })
    await sell('2026-05-01T00:00:00.000Z')
    const { code, stdout, stderr } = await runCli(
      ['stats', '--from', '2026-04-01', '--to', '2026-04-30'],
      settings,
    )
    expect(code).toBe(0)
    const line = (date: string, row: typeof first, onChain: string) =>
      `${date},0.001000,iban,rest,1,no,${row.payer},${row.payTo},${row.network},${row.asset},1000,${row.transaction},${onChain}`
    expect(stdout.split('\n')).toEqual([
      HEADER,
      line('2026-04-01,00:00:00', first, 'found'),
      line('2026-04-30,23:59:59', last, 'missing'),
    ])
    expect(stderr).toContain('2 sales, 0.002 USDC')
    expect(stderr).toContain('1 of them have no transfer')
  })

  test('pages through more sales than fit into one', async () => {
    for (let index = 0; index < 250; index += 1) await sell('2026-04-01T12:00:00.000Z')
    const { stdout } = await runCli(['stats', '--json'], settings)
    const { sales, total } = JSON.parse(stdout)
    expect(total).toEqual({ sales: 250, amount_atomic: '250000', missing: 0 })
    expect(sales).toHaveLength(250)
  })

  test('of nothing is an empty table, and no sales', async () => {
    expect((await runCli(['stats'], settings)).stdout).toBe(HEADER)
    const { stdout } = await runCli(['stats', '--json'], settings)
    expect(JSON.parse(stdout)).toEqual({ sales: [], total: { sales: 0, amount_atomic: '0', missing: 0 } })
  })

  test('of channels is one line for each, as it is now', async () => {
    const row = await store.ledger.openChannel(newChannel({ charged: 4_000n, totalClaimed: 1_000n }))
    const { stdout } = await runCli(['stats', '--channels'], settings)
    expect(stdout.split('\n')).toEqual([
      'channel,payer,opened,lastCall,calls,balance,charged,claimed,withdrawRequested',
      `${row?.id},${row?.config.payer},1970-01-01T00:00:01.000Z,1970-01-01T00:00:01.000Z,1,250000,4000,1000,`,
    ])
    const json = await runCli(['stats', '--channels', '--json'], settings)
    expect(JSON.parse(json.stdout).channels).toMatchObject([{ channel: row?.id, charged: '4000' }])
  })

  test('works after its service has ended, too', async () => {
    await sell('2026-04-01T12:00:00.000Z')
    await store.ledger.close()
    const { stdout } = await runCli(['stats'], settings)
    expect(stdout.split('\n')).toHaveLength(2)
    store = { ...store, close: async () => {} }
  })

  test.each([
    [['--from', '2026-02-30'], '--from'],
    [['--to', 'today'], '--to'],
    [['--from', '2026-04-02', '--to', '2026-04-01'], '--to'],
    [['--format', 'csv'], '--format'],
    [['--channels', '--counts'], '--counts'],
    [['--channels', '--to', '2026-04-01'], '--to'],
    [['--all'], '--from'],
    [['more'], '--from'],
  ])('is refused for %s', async (args, word) => {
    const { code, stdout, stderr } = await runCli(['stats', ...args], settings)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(word)
  })

  test.each([
    ['no store in DATA_DIR', { ...SETTINGS, DATA_DIR: '/nowhere/at/all' }],
    ['no setting at all', {}],
    ['a DATA_DIR of a sandbox that is not there', { DATA_DIR: '/nowhere/at/all' }],
  ])('is refused for %s', async (_what, environment) => {
    const { code, stderr } = await runCli(['stats'], environment as Record<string, string>)
    expect(code).toBe(2)
    expect(stderr).toContain('DATA_DIR')
  })

  test('says in one line that the database does not answer, without its password', async () => {
    const { DATA_DIR: _, ...others } = settings
    const key = () => randomBytes(32).toString('hex')
    const keys = { SECRET_KEY: key(), CARD_KEY: key(), RECEIPT_KEY: key() }
    const DATABASE_URL = 'postgres://user:CANARY@127.0.0.1:9/none'
    const { code, stdout, stderr } = await runCli(['stats'], { ...others, ...keys, DATABASE_URL })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^DATABASE_URL .*ECONNREFUSED.*$/)
    expect(stderr).not.toContain('CANARY')
  })
})
