import { afterEach, beforeEach, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { type ChannelBench, startChannelBench } from '../../support/channel-bench.ts'

let bench: ChannelBench
beforeEach(async () => {
  bench = await startChannelBench()
})
afterEach(() => bench.stop())

const maintain = () => bench.layer.channels?.maintenance.run()
const totals = () => bench.store.channelTotals(bench.clock.at)

/** The id of a new buyer's channel, after so many calls. */
async function called(calls: number) {
  const buyer = bench.buyer()
  for (let call = 0; call < calls; call += 1) await buyer.buy()
  return buyer.id()
}

test('what the contract did is written down, and what does not fit is summed', async () => {
  const [known, ahead, lost, behind] = [await called(2), await called(2), await called(4), await called(1)]
  bench.contract.change(known, { totalClaimed: 1_000n })
  bench.contract.change(ahead, { totalClaimed: 7_000n })
  bench.contract.change(lost, { balance: 1_000n })
  bench.contract.change(behind, { totalClaimed: 1_000n })
  await maintain()
  // Of the first the second call, of the third what is left in its channel.
  expect(await totals()).toMatchObject({ ahead: 1, lost: 3_000n, exposed: 2_000n, claimed: 9_000n })
  expect((await bench.store.findChannel(known))?.totalClaimed).toBe(1_000n)
  // A node that is behind takes nothing back.
  bench.contract.change(behind, { totalClaimed: 0n })
  await maintain()
  expect((await bench.store.findChannel(behind))?.totalClaimed).toBe(1_000n)
})

test('an answer that was too high keeps a channel from sales and claims for a day, not for good', async () => {
  const buyer = bench.buyer()
  await buyer.buy()
  const id = await buyer.id()
  bench.contract.change(id, { refundNonce: 7n })
  await maintain()
  bench.contract.change(id, { refundNonce: 0n })
  bench.pass(86_400_000)
  expect(await buyer.buy()).toMatchObject({ kind: 'sold' })
  bench.layer.channels?.maintenance.claimSoon()
  expect(await maintain()).toMatchObject({ claimed: 1, failed: 0 })
})

test('claims of channels that the store does not have are known after a round', async () => {
  await called(1)
  bench.contract.world.claimedElsewhere = 250n
  expect(bench.layer.channels?.maintenance.claimedWithoutRow()).toBeNull()
  await maintain()
  expect(bench.layer.channels?.maintenance.claimedWithoutRow()).toBe(250n)
})

test('a deposit in doubt is cleared up, and a node that is down ends no loop', async () => {
  await called(1)
  const buyer = bench.buyer()
  bench.contract.faults.push({ lands: true, says: 'nothing' })
  bench.faults.push({ method: 'moveDeposit', when: 'before' })
  await bench.sell(await buyer.sign())
  bench.faults.length = 0
  bench.pass(120_000)
  bench.contract.world.isDown = true
  await maintain()
  expect(await totals()).toMatchObject({ depositsInDoubt: 1 })
  bench.contract.world.isDown = false
  await maintain()
  expect(await totals()).toMatchObject({ depositsInDoubt: 0 })
})

/** A deposit of a new buyer that has landed, while its row says only that it may have been sent; the buyer's address. */
async function unresolved(): Promise<string> {
  const buyer = bench.buyer()
  bench.faults.push({ method: 'moveDeposit', when: 'before' })
  await bench.sell(await buyer.sign())
  bench.faults.length = 0
  return buyer.account.address.toLowerCase()
}

test('a deposit that the node never answers for keeps no later one in doubt, and the run from nothing', async () => {
  await called(1)
  const silent = await unresolved()
  bench.pass(1)
  for (let deposit = 0; deposit < 2; deposit += 1) await unresolved()
  bench.pass(120_000)
  bench.contract.world.unanswered.add(silent)
  bench.layer.channels?.maintenance.claimSoon()
  expect(await maintain()).toMatchObject({ claimed: 1 })
  expect(await totals()).toMatchObject({ depositsInDoubt: 1 })
  bench.contract.world.unanswered.clear()
  await maintain()
  expect(await totals()).toMatchObject({ depositsInDoubt: 0 })
})

/** The node answers for channels only as the plan says, one word for each question; then always. */
function answerAsPlanned(plan: ('yes' | 'no')[]) {
  const { reader } = bench.contract
  const { state } = reader
  reader.state = async (id) => {
    if (plan.shift() === 'no') throw new ChainUnavailable('the node is down')
    return state(id)
  }
}

test('a question that the node does not answer holds up no claim from a payer who withdraws', async () => {
  const [first = ''] = (await Promise.all([1, 1, 1].map(called))).toSorted()
  bench.contract.change(first, { withdrawRequestedAt: 1 })
  answerAsPlanned(['yes', 'no'])
  expect(await maintain()).toEqual({ claimed: 3, failed: 0 })
})

test('the claim of the schedule waits for no look at a channel', async () => {
  await called(1)
  await maintain()
  bench.pass(6 * 3_600_000)
  answerAsPlanned(['no'])
  expect(await maintain()).toEqual({ claimed: 1, failed: 0 })
  expect(await maintain()).toEqual({ claimed: 0, failed: 0 })
})

test('a channel that the node never answers for keeps no later one from being read, and no round from its end', async () => {
  const [silent = '', next = '', last = ''] = (await Promise.all([1, 1, 1].map(called))).toSorted()
  const { reader, world } = bench.contract
  const { state } = reader
  reader.state = async (id) => {
    if (id === silent || id === next) throw new ChainUnavailable('the node is down')
    return state(id)
  }
  world.claimedElsewhere = 250n
  bench.contract.change(last, { withdrawRequestedAt: 1 })
  for (let run = 0; run < 3; run += 1) await maintain()
  expect((await bench.store.findChannel(last))?.withdrawRequestedAt).toBe(1)
  expect(bench.events).toContain('channel_withdrawal_seen')
  expect(bench.contract.state(last).totalClaimed).toBe(1_000n)
  // What the silent ones have claimed is not known.
  expect(bench.layer.channels?.maintenance.claimedWithoutRow()).toBeNull()
  reader.state = state
  // The first run claims from them.
  await maintain()
  await maintain()
  expect(bench.layer.channels?.maintenance.claimedWithoutRow()).toBe(250n)
})

test('a payer who withdraws is seen though the node never says what was claimed for us', async () => {
  const id = await called(1)
  bench.contract.reader.payee = () => Promise.reject(new ChainUnavailable('the node is down'))
  bench.contract.change(id, { withdrawRequestedAt: 1 })
  await maintain()
  expect(bench.events).toContain('channel_withdrawal_seen')
  expect(bench.layer.channels?.maintenance.claimedWithoutRow()).toBeNull()
})
