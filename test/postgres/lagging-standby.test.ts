import { expect, test } from 'vitest'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { restorePayments } from '../../src/payments/recovery/restore-lost-sales.ts'
import { TOKEN } from '../../src/sandbox/addresses.ts'
import { startPostgres } from '../support/postgres.ts'
import { startSaleBench } from '../support/sale-bench.ts'
import { startTcpSwitch } from '../support/tcp-switch.ts'

const MINUTE_MS = 60_000
const ends: (() => Promise<unknown>)[] = []

test('a failover to a standby that lacks the newest sales charges no buyer again, and answers all once they are restored', async ({
  onTestFinished,
}) => {
  onTestFinished(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  const bench = await startSaleBench()
  ends.push(bench.stop)
  const primary = await startPostgres()
  ends.push(primary.remove)
  const address = await startTcpSwitch(primary.port)
  ends.push(address.stop)
  const url = new URL(await primary.freshDatabase())
  url.port = String(address.port)
  const ledgers: Ledger[] = [1, 2].map(() => null as unknown as Ledger)
  for (const at of ledgers.keys()) ledgers[at] = await openPostgresLedger({ url: url.toString() })
  ends.push(() => Promise.all(ledgers.map((ledger) => ledger.close())))
  const replicas = await Promise.all(ledgers.map((ledger) => bench.replica({ ledger })))
  const buyer = await bench.buyer()
  const [kept, lost] = [await buyer.sign(), await buyer.sign()]
  const sellAt = async (replica: number, { rawPayment }: typeof kept, value: string) => {
    bench.clock.advance(1)
    return replicas[replica]?.sell(bench.call(value), rawPayment)
  }
  const sellKept = (replica: number) => sellAt(replica, kept, 'PL61109010140000071219812874')
  const sellLost = (replica: number) => sellAt(replica, lost, 'DE89370400440532013000')

  expect(await sellKept(0)).toMatchObject({ kind: 'sold' })
  const standby = await primary.standby()
  ends.push(standby.remove)
  await standby.stop()
  expect(await sellLost(1)).toMatchObject({ kind: 'sold' })
  await primary.kill()
  expect(await sellKept(1)).toMatchObject({ code: 'store_unavailable' })
  await standby.start()
  await standby.promote()
  address.to(standby.port)
  bench.clock.advance(MINUTE_MS)

  for (const replica of [0, 1]) {
    await expect.poll(() => sellKept(replica)).toMatchObject({ kind: 'sold', replayed: true })
    expect(await sellLost(replica)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
  }
  await restorePayments(
    {
      ...{ ledger: ledgers[0] as Ledger, chain: bench.chain.reader, now: bench.clock.now },
      payee: { network: 'eip155:8453', asset: TOKEN, payTo: bench.payTo },
    },
    bench.clock.now() - 2 * MINUTE_MS,
  )
  for (const replica of [0, 1])
    expect(await sellLost(replica)).toMatchObject({ kind: 'sold', replayed: true })
  expect(await bench.charged()).toBe(2)
})
