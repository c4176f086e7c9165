import { afterEach, beforeEach, expect, test } from 'vitest'
import { reconcileChannels } from '../../../src/payments/channels/reconcile-channels.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { type ChannelBench, startChannelBench } from '../../support/channel-bench.ts'

let bench: ChannelBench
beforeEach(async () => {
  bench = await startChannelBench()
})
afterEach(() => bench.stop())

const reconcile = () =>
  reconcileChannels({
    ledger: bench.store,
    chain: bench.contract.chain,
    reader: bench.contract.reader,
    payee: { payTo: bench.payTo.toLowerCase(), asset: TOKEN.toLowerCase() },
    finalityDepth: 0n,
    now: () => bench.clock.at,
  })
const maintain = () => bench.layer.channels?.maintenance.run()

/** A buyer with a channel and so many calls. */
async function caller(calls: number) {
  const buyer = bench.buyer()
  for (let call = 0; call < calls; call += 1) await buyer.buy()
  return { buyer, id: await buyer.id() }
}

test('a store without channels has nothing to compare', async () => {
  expect(await reconcile()).toBeNull()
})

test('what is charged and not claimed is added up; a claim makes it money for PAY_TO', async () => {
  await caller(3)
  await caller(2)
  expect(await reconcile()).toEqual({
    deposits: { landed: 0, void: 0, open: 0 },
    equal: 2,
    updated: 0,
    unclaimed: 5_000n,
    differences: [],
    claimed: 0n,
    unpaid: 0n,
    claimedWithoutRow: 0n,
    complete: true,
  })
  bench.layer.channels?.maintenance.claimSoon()
  await maintain()
  expect(await reconcile()).toMatchObject({
    ...{ equal: 2, unclaimed: 0n, claimed: 5_000n, unpaid: 0n },
    claimedWithoutRow: 0n,
  })
})

test('what the contract did since is written down, and what does not fit is named', async () => {
  const [known, ahead, lost, behind] = [await caller(2), await caller(2), await caller(4), await caller(1)]
  bench.contract.change(known.id, { totalClaimed: 1_000n })
  bench.contract.change(ahead.id, { totalClaimed: 7_000n })
  bench.contract.change(lost.id, { balance: 1_000n })
  bench.contract.change(behind.id, { totalClaimed: 1_000n })
  bench.contract.world.claimedElsewhere = 250n
  await reconcile()
  bench.contract.change(behind.id, { totalClaimed: 0n })
  const found = await reconcile()
  const payer = (each: typeof ahead) => each.buyer.account.address.toLowerCase()
  expect(found?.differences.toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
    { channel: ahead.id, payer: payer(ahead), kind: 'ahead', amount: 5_000n },
    { channel: behind.id, payer: payer(behind), kind: 'behind', amount: 1_000n },
    { channel: lost.id, payer: payer(lost), kind: 'lost', amount: 3_000n },
  ])
  // Of the first the second call, of the third what is left in its channel.
  expect(found).toMatchObject({ unclaimed: 2_000n, claimed: 8_250n })
  expect((await bench.store.findChannel(known.id))?.totalClaimed).toBe(1_000n)
  // A node that is behind takes nothing back.
  expect((await bench.store.findChannel(behind.id))?.totalClaimed).toBe(1_000n)
})

test('claims of channels that the store does not have are named, also by the loop', async () => {
  await caller(1)
  bench.contract.world.claimedElsewhere = 250n
  expect(await reconcile()).toMatchObject({ claimedWithoutRow: 250n, differences: [] })
  expect(bench.layer.channels?.maintenance.claimedWithoutRow()).toBeNull()
  await maintain()
  expect(bench.layer.channels?.maintenance.claimedWithoutRow()).toBe(250n)
})

test('a deposit in doubt is cleared up, and a node that is down ends the run', async () => {
  await caller(1)
  const buyer = bench.buyer()
  bench.contract.faults.push({ lands: true, says: 'nothing' })
  bench.faults.push({ method: 'moveDeposit', when: 'before' })
  await bench.sell(await buyer.sign())
  bench.faults.length = 0
  bench.pass(120_000)
  expect(await reconcile()).toMatchObject({ deposits: { landed: 1, void: 0, open: 0 }, complete: true })
  bench.contract.world.isDown = true
  expect(await reconcile()).toMatchObject({ complete: false, claimedWithoutRow: 0n })
})
