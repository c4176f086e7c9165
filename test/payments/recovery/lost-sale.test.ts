import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { restorePayments } from '../../../src/payments/recovery/restore-lost-sales.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { type BenchPayment, rawPaymentOf } from '../../support/bench-buyer.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

const change = (statement: string) => {
  const database = new Database(join(bench.dataDir, 'ledger.sqlite'))
  database.exec(statement)
  database.close()
}

/** A sale whose row is gone, as after a failover to a standby that lacked the newest commits. */
async function lostSale() {
  const buyer = await bench.buyer()
  const signed = await buyer.sign()
  expect(await bench.sell(signed.rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
  change('delete from payments')
  bench.clock.advance(4_000)
  await bench.restart()
  return { buyer, ...signed }
}

const restore = (ledger: Pick<typeof bench.ledger, 'move'> = bench.ledger) =>
  restorePayments(
    {
      ledger: { ...bench.ledger, move: ledger.move },
      chain: bench.chain.reader,
      payee: { network: 'eip155:8453', asset: TOKEN, payTo: bench.payTo },
      now: bench.clock.now,
    },
    bench.clock.now() - HOUR_MS,
  )

const IN_DOUBT = { kind: 'declined', code: 'payment_in_doubt' }

describe('a lost sale that was repeated while nothing could be sent', () => {
  test('is in doubt after its end, and answered once it is restored', async () => {
    const { rawPayment, buyer, nonce } = await lostSale()
    bench.facilitator.script.push({ says: 'not_sent' })
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'facilitator_unavailable' })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'claimed' })
    bench.clock.advance(600_000)
    expect(await bench.sell(rawPayment)).toMatchObject(IN_DOUBT)
    expect(await restore()).toEqual({ restored: 1, ignored: 0 })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.charged()).toBe(1)
  })

  test('so is one of which the store still knows such a try, made before the sale', async () => {
    const buyer = await bench.buyer()
    const { rawPayment } = await buyer.sign()
    bench.facilitator.script.push({ says: 'not_sent' })
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'facilitator_unavailable' })
    change('create table older as select * from payments')
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
    change('delete from payments; insert into payments select * from older; drop table older')
    await bench.restart()
    bench.clock.advance(600_000)
    expect(await bench.sell(rawPayment)).toMatchObject(IN_DOUBT)
    expect(await restore()).toEqual({ restored: 1, ignored: 0 })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.charged()).toBe(1)
  })
})

describe('the repeat of a lost sale', () => {
  test('is in doubt if the facilitator says that its time is over', async () => {
    const { rawPayment } = await lostSale()
    const errorReason = 'invalid_exact_evm_payload_authorization_valid_before'
    bench.facilitator.script.push({ says: () => ({ success: false, errorReason, transaction: '' }) })
    expect(await bench.sell(rawPayment)).toMatchObject(IN_DOUBT)
    await restore()
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
  })

  test.each([
    ['before', 0],
    ['after', 600_000],
  ])('is in doubt %s its end while the node has no log of it yet', async (_, pause) => {
    const { rawPayment } = await lostSale()
    bench.clock.advance(pause)
    bench.reader.trace = async () => ({ kind: 'used', payments: [], elsewhere: [] })
    expect(await bench.sell(rawPayment)).toMatchObject(IN_DOUBT)
  })

  test('waits for a row that is being restored', async () => {
    const { rawPayment } = await lostSale()
    const { move } = bench.ledger
    let repeat: ReturnType<SaleBench['sell']> | undefined
    await restore({
      move: async (...args) => {
        repeat = bench.sell(rawPayment)
        await new Promise((resolve) => setTimeout(resolve, 100))
        return move(...args)
      },
    })
    expect(await repeat).toMatchObject({ kind: 'sold', replayed: true })
  })

  test('searches the chain three times a minute at most, once the authorization is over', async () => {
    const { rawPayment } = await lostSale()
    expect(await bench.sell(rawPayment)).toMatchObject(IN_DOUBT)
    bench.clock.advance(600_000)
    const { trace } = bench.reader
    let searches = 0
    bench.reader.trace = (query) => {
      searches += 1
      return trace(query)
    }
    for (let tries = 0; tries < 3; tries += 1) expect(await bench.sell(rawPayment)).toMatchObject(IN_DOUBT)
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'too_many_requests' })
    expect(searches).toBe(3)
    await restore()
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
  })

  test('by strangers, who can copy it from the chain, does not keep its payer from buying', async () => {
    const { rawPayment, buyer } = await lostSale()
    bench.clock.advance(600_000)
    for (let tries = 0; tries < 3; tries += 1)
      expect(await bench.sell(rawPayment, bench.call(`value ${tries}`))).toMatchObject(IN_DOUBT)
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'too_many_requests' })
    expect(await bench.sell((await buyer.sign()).rawPayment, bench.call('new'))).toMatchObject({
      kind: 'sold',
    })
  })
})

test('an authorization that could never be sold here is 409 and not in doubt once it was used', async () => {
  const buyer = await bench.buyer()
  const { rawPayment, transfer } = await buyer.sign({ validBefore: String(2n ** 64n) })
  await bench.chain.transact(TOKEN, transfer)
  bench.clock.advance(10_000)
  expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_already_used' })
})

test('a contract wallet, whose restored payment cannot be given to it, is in doubt for a day and not longer', async () => {
  const { payload }: BenchPayment = await lostSale()
  await restore()
  const byWallet = { ...payload.payload, signature: `0x${'ab'.repeat(100)}` }
  const rawPayment = rawPaymentOf({ ...payload, payload: byWallet })
  bench.reader.hasCode = async () => true
  expect(await bench.sell(rawPayment)).toMatchObject(IN_DOUBT)
  bench.clock.advance(DAY_MS + 1)
  expect(await bench.sell(rawPayment)).toMatchObject({ code: 'replay_window_over' })
})
