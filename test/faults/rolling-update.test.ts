import { afterAll, beforeAll, expect, test } from 'vitest'
import { composeNginx } from '../proxies/proxy-configs.ts'
import { type RunningProxy, startProxy } from '../proxies/run-proxy.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { COUNTERS } from './bench/counters.ts'
import { type Fleet, startFleet } from './bench/fleet.ts'
import { signSale } from './bench/mixed-sales.ts'
import { PRICE } from './bench/world.ts'

const SEED = 78
const CLIENTS = 6
const CALLS = 1_000

let fleet: Fleet
let nginx: RunningProxy
beforeAll(async () => {
  fleet = await startFleet({ SHUTDOWN_DELAY: '2' })
  const ports = fleet.replicas.map(({ url }) => Number(new URL(url).port))
  nginx = await startProxy(composeNginx(ports), 0)
})
afterAll(async () => {
  await nginx.stop()
  await fleet.stop()
})

test('a rolling update behind the nginx of compose.yaml: no call fails, and no client repeats one', async () => {
  const random = new SeededRandom(SEED)
  let updating = true
  let index = 0
  const answers: string[] = []
  const clients = Array.from({ length: CLIENTS }, async () => {
    const buyer = await fleet.world.buyer(CALLS)
    let bought = 0
    while (updating) {
      index += 1
      const sale = await signSale(fleet, buyer, index, random)
      const outcome = await COUNTERS[sale.counter]?.(nginx.url, sale)
      answers.push(outcome?.kind === 'verdict' ? 'verdict' : JSON.stringify(outcome))
      bought += 1
      const quote = await fetch(`${nginx.url}/api/validate/iban`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"value":"x"}',
      })
      await quote.arrayBuffer()
      answers.push(quote.status === 402 ? 'quote' : String(quote.status))
    }
    return { buyer, bought }
  })
  for (const replica of fleet.replicas) {
    await replica.stop()
    await replica.start()
  }
  updating = false
  const served = await Promise.all(clients)

  expect(answers.filter((answer) => answer !== 'verdict' && answer !== 'quote')).toEqual([])
  for (const { buyer, bought } of served) {
    expect(await fleet.world.balance(buyer.address)).toBe(BigInt(CALLS - bought) * PRICE)
  }
  console.log(`${answers.length} calls over ${Object.keys(COUNTERS).length} surfaces, each sent once`)
})
