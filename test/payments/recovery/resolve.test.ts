import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { resolvePayment } from '../../../src/payments/recovery/resolve-payment.ts'
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

describe('an authorization that was used before its claim, and no log says for what', () => {
  /** By a node that knows the state of the authorization since the block given, and older blocks not at all. */
  const usedSince = async (known: bigint, oldest: bigint) => {
    const { row, read } = await paidInDoubt()
    const chain = {
      ...bench.chain.reader,
      trace: async () => ({ kind: 'used', payments: [], elsewhere: [] }) as const,
      authorizationUsed: async (_payer: string, _nonce: string, block = known) => {
        if (block < oldest) throw new ChainUnavailable('no state that old')
        return block >= known
      },
    }
    // The search begins an hour before the claim.
    const claimed = { ...row, claimedBlock: 2_000n }
    return { look: () => resolvePayment({ ...options(), chain }, claimed), read }
  }

  test('is in doubt if it was used within the blocks that were searched: the node indexes late', async () => {
    const { look, read } = await usedSince(1_900n, 0n)
    expect(await look()).toMatchObject({ kind: 'unexplained' })
    bench.clock.advance(87_000_000)
    expect(await look()).toMatchObject({ kind: 'void' })
    expect(await read()).toMatchObject({ state: 'void', refusal: 'payment_already_used' })
  })

  test('is void if it was used longer ago', async () => {
    const { look } = await usedSince(100n, 0n)
    expect(await look()).toMatchObject({ kind: 'void' })
  })

  test('is in doubt for a day at a node that keeps no state that old', async () => {
    const { look } = await usedSince(1_900n, 1_500n)
    expect(await look()).toMatchObject({ kind: 'unexplained' })
    bench.clock.advance(87_000_000)
    expect(await look()).toMatchObject({ kind: 'void' })
  })
})

test('a buyer who repeats while the row is recovered in the background is answered', async () => {
  const { row, rawPayment } = await paidInDoubt()
  const [sale, resolution] = await Promise.all([bench.sell(rawPayment), resolvePayment(options(), row)])
  expect(sale).toMatchObject({ kind: 'sold' })
  expect(resolution).toMatchObject({ kind: 'settled' })
})
