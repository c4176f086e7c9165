import { setTimeout as sleep } from 'node:timers/promises'
import { CHECKS } from 'format-checker-checks/internal/checks'
import type { PrivateKeyAccount } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SeededRandom } from '../support/seeded-random.ts'
import { HONEST } from './bench/facilitator-proxy.ts'
import { type Fleet, startFleet } from './bench/fleet.ts'
import {
  inLanes,
  type MadeSale,
  type MixedSale,
  makeSale,
  signSale,
  unreliable,
} from './bench/mixed-sales.ts'
import { PASS } from './bench/node-proxy.ts'
import { PRICE } from './bench/world.ts'

const SEED = 20_260
const SALES = 1_000
const BUYERS = 100
const LANES = 48
/** Faults in a hundred: of the facilitator, of the node. */
const FACILITATOR_PERCENT = 20
const NODE_PERCENT = 5
const KILL_EVERY_MS = 10_000
const LAST_MS = 40_000
const LONGEST_MS = 150_000
/** Ends what hangs; a loaded machine takes many times longer than an idle one. */
const HANGING_MS = 1_200_000

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
})
afterAll(() => fleet.stop())

/** Kills one replica after another and starts it again, until stopped. */
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

test(
  'a thousand mixed sales under random faults and kills: the ledger equals the chain',
  async () => {
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
      const sale = await signSale(fleet, random.pick(buyers), index, random, { storeFaults: true })
      made.set(sale, await makeSale(fleet.url, sale, deadline))
      if (made.size % 100 === 0) console.log(`${made.size} of ${SALES} sales made`)
    })
    const kills = await stopKilling()
    const sales = [...made]
    const repeated = sales.filter(([, { requests }]) => requests > 1).length
    console.log(`${kills} kills, ${repeated} sales were repeated`)

    fleet.world.facilitator.otherwise(() => HONEST)
    fleet.node.treat(PASS)
    await fleet.recover()

    const [books] = await fleet.ask(
      `select count(*) as sales, coalesce(sum(amount::numeric), 0) as taken from payments where state = 'settled'`,
    )
    const received = await fleet.world.balance(fleet.payTo)
    expect(BigInt(String(books?.taken))).toBe(received)
    expect(BigInt(String(books?.sales)) * PRICE).toBe(received)

    // A buyer who gave up asks a last time: the charged ones have their answer now, and no others.
    const answered: MixedSale[] = []
    for (const [sale, { outcome }] of sales) {
      const last =
        outcome.kind === 'later' ? (await makeSale(fleet.url, sale, Date.now() + LAST_MS)).outcome : outcome
      expect(last.kind).not.toBe('later')
      if (last.kind !== 'verdict') continue
      expect(last.verdict).toEqual(CHECKS[sale.type](sale.value))
      answered.push(sale)
    }
    expect(BigInt(answered.length) * PRICE).toBe(received)
    expect(answered.length).toBeGreaterThan(SALES * 0.9)
    for (const buyer of buyers) {
      const spent = BigInt(SALES) * PRICE - (await fleet.world.balance(buyer.address))
      expect(spent).toBe(BigInt(answered.filter((sale) => sale.buyer === buyer).length) * PRICE)
    }
    expect(kills).toBeGreaterThan(1)
  },
  HANGING_MS,
)
