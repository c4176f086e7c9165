import { setTimeout as sleep } from 'node:timers/promises'
import { CHECKS } from 'format-checker-checks/internal/checks'
import type { PrivateKeyAccount } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SeededRandom } from '../support/seeded-random.ts'
import { inLanes, type MadeSale, type MixedSale, makeSale, signSale } from './bench/mixed-sales.ts'
import { PASS } from './bench/node-proxy.ts'
import { type Stage, startStage } from './bench/stage.ts'
import { PRICE } from './bench/world.ts'

const SEED = 20_261
/** Of each store; together sixty. */
const KILLS = 30
const BUYERS = 24
const CALLS = 400
const LANES = 12
const PAUSE_MS = 200
/** A sale whose process died waits for the end of its lease, thirty seconds. */
const LONGEST_MS = 120_000

/** One for each store, whose clock is that of its own chain. */
let stage: Stage
beforeEach(async () => {
  stage = await startStage()
})
afterEach(() => stage.stop())

test.each([
  'SQLite',
  'PostgreSQL',
])('of sales that the service settles itself none is lost and none charged twice, over thirty kills: %s', async (store) => {
  const { world } = stage
  const node = await world.nodeProxy()
  const settings = {
    ...{ RPC_URL: node.url, FACILITATOR_URL: 'self', SETTLEMENT_KEY: await world.gasKey() },
    ...{ SETTLEMENT_ETH_USD: '1', SETTLEMENT_MAX_COST_USD: '1000', SETTLEMENT_DAILY_LOSS_USD: '100000' },
  }
  const { service, url, payTo } =
    store === 'SQLite' ? await stage.ownFile({ environment: settings }) : await stage.ownReplica(settings)
  const paidBefore = await world.balance(payTo)
  const random = new SeededRandom(SEED)
  const buyers: PrivateKeyAccount[] = []
  for (let made = 0; made < BUYERS; made += 1) buyers.push(await world.buyer(CALLS))

  let kills = 0
  const killing = async () => {
    while (kills < KILLS) {
      const died = Promise.withResolvers<void>()
      const hasArrived = random.int(2) === 0
      let passing = random.int(3)
      node.treat(async (request) => {
        if (!request.method.startsWith('eth_sendRawTransaction') || passing-- > 0) return request
        node.treat(PASS)
        if (hasArrived) await world.rpc('eth_sendRawTransaction', request.params).catch(() => {})
        await service.kill()
        died.resolve()
        return 'drop'
      })
      // Every third dies at some other moment of its work.
      if (kills % 3 === 2) {
        node.treat(PASS)
        await sleep(random.int(900))
        await service.kill()
        died.resolve()
      }
      await died.promise
      kills += 1
      await service.start()
    }
  }
  const made = new Map<MixedSale, MadeSale>()
  const kill = killing()
  let index = 0
  await inLanes(
    Array.from({ length: LANES }, (_, lane) => lane),
    LANES,
    async () => {
      while (kills < KILLS) {
        index += 1
        const sale = await signSale({ payTo }, random.pick(buyers), index, random)
        const first = await makeSale(url, sale, 0)
        made.set(sale, first)
        // The service may be down: its buyers come back at the end.
        if (first.outcome.kind === 'later') await sleep(PAUSE_MS)
      }
    },
  )
  await kill
  const open = [...made].filter(([, { outcome }]) => outcome.kind === 'later').map(([sale]) => sale)
  console.log(`${store}: ${kills} kills, ${made.size} sales, of which ${open.length} had no answer at first`)
  await inLanes(open, LANES, async (sale) => {
    made.set(sale, await makeSale(url, sale, Date.now() + LONGEST_MS))
  })

  // What is in doubt until its authorization has ended is decided then.
  const doubtful = [...made].filter(([, { outcome }]) => outcome.kind === 'later').map(([sale]) => sale)
  if (doubtful.length > 0) {
    await world.passTime(600)
    await service.stop()
    await service.start()
    await inLanes(doubtful, LANES, async (sale) => {
      made.set(sale, await makeSale(url, sale, Date.now() + LONGEST_MS))
    })
  }

  const answered: MixedSale[] = []
  for (const [sale, { outcome: last }] of made) {
    expect(last.kind).not.toBe('later')
    if (last.kind !== 'verdict') continue
    expect(last.verdict).toEqual(CHECKS[sale.type](sale.value))
    answered.push(sale)
  }
  const received = (await world.balance(payTo)) - paidBefore
  console.log(`${store}: ${answered.length} verdicts, ${received / PRICE} payments on the chain`)
  expect(received).toBe(BigInt(answered.length) * PRICE)
  for (const buyer of buyers) {
    const spent = BigInt(CALLS) * PRICE - (await world.balance(buyer.address))
    expect(spent).toBe(BigInt(answered.filter((sale) => sale.buyer === buyer).length) * PRICE)
  }
  expect(answered.length).toBeGreaterThan(KILLS)
})
