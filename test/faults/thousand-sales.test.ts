import { setTimeout as sleep } from 'node:timers/promises'
import type { PrivateKeyAccount } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHECKS } from '../../src/checks/checks.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { type Fleet, startFleet } from './bench/fleet.ts'
import {
  inLanes,
  type MadeSale,
  type MixedSale,
  makeSale,
  signSale,
  unreliable,
} from './bench/mixed-sales.ts'
import { PRICE } from './bench/world.ts'

const SEED = 20_260
const SALES = 1_000
const BUYERS = 100
const LANES = 32
/** Faults in a hundred: of the facilitator, of the node. */
const FACILITATOR_PERCENT = 20
const NODE_PERCENT = 5
const KILL_EVERY_MS = 7_000
const LONGEST_MS = 150_000

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
})
afterAll(() => fleet.stop())

/** Kills one replica after another and starts it again, until told to stop. */
function startKilling(random: SeededRandom) {
  let over = false
  let kills = 0
  const run = async () => {
    while (!over) {
      await sleep(KILL_EVERY_MS)
      const victim = random.pick(fleet.replicas)
      await victim.kill()
      kills += 1
      await victim.start()
    }
  }
  const running = run()
  return async () => {
    over = true
    await running
    return kills
  }
}

test('a thousand mixed sales under random faults and kills: the ledger equals the chain', async () => {
  const random = new SeededRandom(SEED)
  const nodeRandom = new SeededRandom(SEED + 1)
  const buyers: PrivateKeyAccount[] = []
  for (let made = 0; made < BUYERS; made += 1) buyers.push(await fleet.world.buyer(SALES))
  fleet.world.facilitator.otherwise(unreliable(new SeededRandom(SEED + 2), FACILITATOR_PERCENT))
  fleet.node.treat((request) => (nodeRandom.int(100) < NODE_PERCENT ? 'drop' : request))
  const stopKilling = startKilling(new SeededRandom(SEED + 3))

  const indexes = Array.from({ length: SALES }, (_, index) => index)
  const made = new Map<MixedSale, MadeSale>()
  const deadline = Date.now() + LONGEST_MS
  await inLanes(indexes, LANES, async (index) => {
    const sale = await signSale(fleet, random.pick(buyers), index, random)
    made.set(sale, await makeSale(fleet.url, sale, deadline))
    if (made.size % 100 === 0) console.log(`${made.size} of ${SALES} sales made`)
  })
  const kills = await stopKilling()
  const sales = [...made]
  const repeated = sales.filter(([, { requests }]) => requests > 1).length
  console.log(`${kills} kills, ${repeated} sales had to be repeated`)

  fleet.world.facilitator.otherwise(() => ({ lands: 'before', says: 'truth' }))
  fleet.node.treat((request) => request)
  await fleet.recover()

  const [books] = await fleet.ask(
    `select count(*) as sales, coalesce(sum(amount::numeric), 0) as taken from payments where state = 'settled'`,
  )
  const received = await fleet.world.balance(fleet.payTo)
  expect(BigInt(String(books?.taken))).toBe(received)
  expect(BigInt(String(books?.sales)) * PRICE).toBe(received)

  // Nobody who was charged is without his answer, and nobody has one unpaid.
  const unanswered = sales.filter(([, { outcome }]) => outcome.kind !== 'verdict')
  expect(unanswered.map(([{ counter }, { outcome }]) => ({ counter, outcome }))).toEqual([])
  expect(received).toBe(BigInt(SALES) * PRICE)
  for (const [{ type, value }, { outcome }] of sales) {
    if (outcome.kind !== 'verdict') continue
    expect(outcome.verdict).toEqual(CHECKS[type](value))
  }
  for (const buyer of buyers) {
    const spent = BigInt(SALES) * PRICE - (await fleet.world.balance(buyer.address))
    expect(spent).toBe(BigInt(sales.filter(([sale]) => sale.buyer === buyer).length) * PRICE)
  }
  expect(kills).toBeGreaterThan(1)
})
