import { afterAll, beforeAll, expect, test } from 'vitest'
import { SeededRandom } from '../support/seeded-random.ts'
import { COUNTERS } from './bench/counters.ts'
import { type Fleet, startFleet } from './bench/fleet.ts'
import { type MadeSale, makeSale, signSale } from './bench/mixed-sales.ts'
import { PRICE } from './bench/world.ts'

const SEED = 77
const CLIENTS = 8
const CALLS = 1_000
const PATIENCE_MS = 90_000

let fleet: Fleet
beforeAll(async () => {
  // The clone of an earlier version: `npm run drill -- update`.
  fleet = await startFleet({}, process.env.PREVIOUS_VERSION)
})
afterAll(() => fleet.stop())

test('a rolling restart under load: every charged call is answered, no charge is doubled', async () => {
  const random = new SeededRandom(SEED)
  let rolling = true
  let index = 0
  const made: MadeSale[] = []
  const clients = Array.from({ length: CLIENTS }, async () => {
    const buyer = await fleet.world.buyer(CALLS)
    let bought = 0
    while (rolling) {
      index += 1
      const sale = await signSale(fleet, buyer, index, random)
      made.push(await makeSale(fleet.url, sale, Date.now() + PATIENCE_MS))
      bought += 1
    }
    return { buyer, bought }
  })
  for (const replica of fleet.replicas) {
    await replica.stop()
    await replica.start()
  }
  rolling = false
  const served = await Promise.all(clients)
  await fleet.recover()

  const failed = made.filter(({ outcome }) => outcome.kind !== 'verdict')
  expect(failed).toEqual([])
  for (const { buyer, bought } of served) {
    expect(await fleet.world.balance(buyer.address)).toBe(BigInt(CALLS - bought) * PRICE)
  }
  expect(await fleet.world.balance(fleet.payTo)).toBe(BigInt(made.length) * PRICE)
  console.log(`${made.length} sales over ${Object.keys(COUNTERS).length} counters during the restart`)
})
