import { afterEach, beforeEach, expect, test } from 'vitest'
import { resolvePayment } from '../../../src/payments/recovery/resolve.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

/** A row in doubt whose transfer is on the chain by now. */
async function paidInDoubt() {
  const buyer = await bench.buyer()
  const { rawPayment, nonce, transfer } = await buyer.sign()
  bench.facilitator.script.push({ says: 'unknown' })
  await bench.sell(rawPayment)
  await bench.chain.transact(TOKEN, transfer)
  return { rawPayment, row: await bench.row(buyer, nonce), read: () => bench.row(buyer, nonce) }
}
const options = () => ({
  ledger: bench.ledger,
  chain: bench.chain.reader,
  now: bench.clock.now,
  finalityDepth: 0n,
})

test('a row that another replica holds for a moment is not voided over its own payment', async () => {
  const { row, read } = await paidInDoubt()
  let moves = 0
  const ledger = {
    ...bench.ledger,
    move: async (...[seen, change]: Parameters<typeof bench.ledger.move>) => {
      moves += 1
      return moves === 1 ? null : bench.ledger.move(seen, change)
    },
  }
  expect(await resolvePayment({ ...options(), ledger }, row)).toMatchObject({ kind: 'unexplained' })
  expect(await read()).toMatchObject({ state: 'in_doubt' })
  expect(await resolvePayment(options(), row)).toMatchObject({ kind: 'settled' })
})

test('many who look at one row at once settle it once, and all hear of it', async () => {
  const { row, read } = await paidInDoubt()
  const resolutions = await Promise.all(Array.from({ length: 10 }, () => resolvePayment(options(), row)))
  expect(new Set(resolutions.map(({ kind }) => kind))).toEqual(new Set(['settled']))
  expect(await read()).toMatchObject({ state: 'settled', audit: null })
})

test('one log settles one row, whatever a node says', async () => {
  const first = await paidInDoubt()
  await resolvePayment(options(), first.row)
  const settled = await first.read()
  const second = await paidInDoubt()
  const lying = {
    ...bench.chain.reader,
    trace: async () => ({
      kind: 'used' as const,
      payments: [
        {
          transaction: settled.transaction as `0x${string}`,
          logIndex: settled.logIndex as number,
          blockNumber: (await bench.chain.reader.head()).number,
        },
      ],
      elsewhere: [],
    }),
  }
  expect(await resolvePayment({ ...options(), chain: lying }, second.row)).toMatchObject({
    kind: 'unexplained',
  })
  expect(await second.read()).toMatchObject({ state: 'in_doubt' })
  expect(await bench.sell(second.rawPayment)).toMatchObject({ kind: 'sold' })
})

test('a payment without proof stays in doubt', async () => {
  const { row, read, rawPayment } = await paidInDoubt()
  bench.reader.trace = async () => ({ kind: 'used', payments: [], elsewhere: [] })
  bench.clock.advance(3_600_000)
  expect(await resolvePayment({ ...options(), chain: bench.reader }, row)).toMatchObject({
    kind: 'unexplained',
  })
  expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
  expect(await read()).toMatchObject({ state: 'in_doubt' })
})

test('a buyer who repeats while the row is recovered in the background is answered', async () => {
  const { row, rawPayment } = await paidInDoubt()
  const [sale, resolution] = await Promise.all([bench.sell(rawPayment), resolvePayment(options(), row)])
  expect(sale).toMatchObject({ kind: 'sold' })
  expect(resolution).toMatchObject({ kind: 'settled' })
})
