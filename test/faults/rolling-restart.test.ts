import { afterAll, beforeAll, expect, test } from 'vitest'
import { SeededRandom } from '../support/seeded-random.ts'
import { COUNTERS } from './bench/counters.ts'
import { type Fleet, startFleet } from './bench/fleet.ts'
import { LATER, makeLaterBuild } from './bench/later-build.ts'
import { type MadeSale, makeSale, signSale } from './bench/mixed-sales.ts'
import { PRICE } from './bench/world.ts'

const SEED = 77
const CLIENTS = 8
const CALLS = 1_000
const PATIENCE_MS = 90_000

const later = makeLaterBuild()
let fleet: Fleet
beforeAll(async () => {
  // The clone of an earlier version: `npm run drill -- update VERSION`.
  fleet = await startFleet({}, process.env.PREVIOUS_VERSION)
})
afterAll(async () => {
  await fleet.stop()
  later.remove()
})

const applied = async () => (await fleet.ask('select name from kysely_migration')).map(({ name }) => name)

test('an update and the way back under load: every charged call is answered, no charge is doubled', async () => {
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
  const replaceEach = async (root?: string) => {
    for (const replica of fleet.replicas) {
      await replica.stop()
      await replica.start({}, root)
    }
  }
  // Into this version, into a later one that adds a column and an index, and back to this one on the later schema.
  if (process.env.PREVIOUS_VERSION !== undefined) await replaceEach()
  expect(await applied()).not.toEqual(expect.arrayContaining(LATER))
  await replaceEach(later.root)
  expect(await applied()).toEqual(expect.arrayContaining(LATER))
  await replaceEach()
  rolling = false
  const served = await Promise.all(clients)
  await fleet.recover()

  const failed = made.filter(({ outcome }) => outcome.kind !== 'verdict')
  expect(failed).toEqual([])
  for (const { buyer, bought } of served) {
    expect(await fleet.world.balance(buyer.address)).toBe(BigInt(CALLS - bought) * PRICE)
  }
  expect(await fleet.world.balance(fleet.payTo)).toBe(BigInt(made.length) * PRICE)
  expect(await fleet.ask("select count(*)::int as n from payments where later <> 'none'")).toEqual([{ n: 0 }])
  console.log(
    `${made.length} sales over ${Object.keys(COUNTERS).length} counters during the update and the way back`,
  )
})
