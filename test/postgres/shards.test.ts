import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PaymentLayer } from '../../src/app/payments/payment-layer.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { PaymentKey, PaymentRow } from '../../src/ledger/payments/payment-row.ts'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import type { RawPayment, Sale } from '../../src/payments/ports/sale.ts'
import { TOKEN } from '../../src/sandbox/addresses.ts'
import type { BenchBuyer } from '../support/bench-buyer.ts'
import { eventually } from '../support/eventually.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type SaleBench, startSaleBench } from '../support/sale-bench.ts'

/** Payers dealt out over two servers, as docs/evidence/performance.md describes it. */
let servers: readonly [PostgresServer, PostgresServer]
beforeAll(async () => {
  servers = [await startPostgres(), await startPostgres()]
})
afterAll(() => Promise.all(servers.map((server) => server.remove())))

let bench: SaleBench
let ledgers: readonly [Ledger, Ledger]
let groups: readonly [PaymentLayer, PaymentLayer]
beforeEach(async () => {
  bench = await startSaleBench()
  const open = async (server: PostgresServer) => openPostgresLedger({ url: await server.freshDatabase() })
  ledgers = [await open(servers[0]), await open(servers[1])]
  groups = [await bench.replica({ ledger: ledgers[0] }), await bench.replica({ ledger: ledgers[1] })]
})
afterEach(async () => {
  await Promise.all(ledgers.map((ledger) => ledger.close()))
  await bench.stop()
})

interface Bought {
  readonly group: 0 | 1
  readonly key: PaymentKey
  readonly value: string
  readonly rawPayment: RawPayment
}

const groupOf = ({ address }: BenchBuyer): 0 | 1 => (Number.parseInt(address.slice(-1), 16) % 2 === 0 ? 0 : 1)

async function signed(buyer: BenchBuyer, value: string): Promise<Bought> {
  const { nonce, rawPayment } = await buyer.sign()
  const payer = buyer.address.toLowerCase()
  return {
    group: groupOf(buyer),
    key: { network: 'eip155:8453', asset: TOKEN.toLowerCase(), payer, nonce },
    value,
    rawPayment,
  }
}

const sell = ({ group, value, rawPayment }: Bought): Promise<Sale> =>
  groups[group].sell(bench.call(value), rawPayment)

const rowsOf = ({ key }: Bought): Promise<readonly (PaymentRow | null)[]> =>
  Promise.all(ledgers.map((ledger) => ledger.find(key)))

test('a server that ends in the middle of sales stops its own payers alone; every charge is in one store and answered', async () => {
  const buyers = await Promise.all(Array.from({ length: 16 }, () => bench.buyer()))
  const all: Bought[] = []
  for (const buyer of buyers)
    for (const value of ['first', 'second', 'third']) all.push(await signed(buyer, value))
  expect(new Set(all.map(({ group }) => group)).size).toBe(2)
  const release = bench.facilitator.hold()
  const running = Promise.all(all.map(sell))
  // As many settlements are under way as both groups have payments: the server ends before any of them is recorded.
  await eventually(() => bench.facilitator.settled.length).toBe(all.length)
  await servers[1].kill()
  release()
  const first = await running
  expect(first.filter((sale, index) => all[index]!.group === 0 && sale.kind !== 'sold')).toEqual([])
  await servers[1].start()
  // Leases of sales that the end of the server has cut off.
  bench.clock.advance(31_000)
  const repeated: Sale[] = []
  for (const one of all) repeated.push(await sell(one))
  expect(repeated.map(({ kind }) => kind)).toEqual(all.map(() => 'sold'))
  expect(await bench.charged()).toBe(all.length)
  for (const one of all) {
    const rows = await rowsOf(one)
    expect(rows[one.group]).toMatchObject({ state: 'settled' })
    expect(rows[1 - one.group]).toBeNull()
  }
})

test('a payment that comes to the wrong group afterwards is neither sold nor charged again', async () => {
  const one = await signed(await bench.buyer(), 'value')
  const sale = await sell(one)
  if (sale.kind !== 'sold') throw new Error(sale.kind)
  sale.delivered()
  const astray = await sell({ ...one, group: one.group === 0 ? 1 : 0 })
  expect(astray.kind).toBe('declined')
  expect(await bench.charged()).toBe(1)
})
