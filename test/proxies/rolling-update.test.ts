/** Three replicas on one database are updated one after the other, while clients pay through a proxy in front of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COUNTERS } from '../faults/bench/counters.ts'
import { type Fleet, startFleet } from '../faults/bench/fleet.ts'
import type { LiveService } from '../faults/bench/live-service.ts'
import { signSale } from '../faults/bench/mixed-sales.ts'
import { PRICE } from '../faults/bench/world.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { defaultGroups, type ProxyProgram, patientGroups } from './proxy-configs.ts'
import { startProxy } from './run-proxy.ts'

const SEED = 78
const CLIENTS = 6
const CALLS = 1_000

let fleet: Fleet
const random = new SeededRandom(SEED)
const next = { index: 0 }
beforeAll(async () => {
  fleet = await startFleet({ SHUTDOWN_DELAY: '2' })
})
afterAll(() => fleet.stop())

/** Buys through a proxy until every replica was updated; returns what was answered. */
async function buyDuringUpdate(proxy: ProxyProgram, update: (replica: LiveService) => Promise<void>) {
  const { url, stop } = await startProxy(proxy, 0)
  let isUpdating = true
  const answers: string[] = []
  const clients = Array.from({ length: CLIENTS }, async () => {
    const buyer = await fleet.world.buyer(CALLS)
    let bought = 0
    while (isUpdating) {
      next.index += 1
      const sale = await signSale(fleet, buyer, next.index, random)
      const outcome = await COUNTERS[sale.counter]?.(url, sale)
      answers.push(outcome?.kind === 'verdict' ? 'verdict' : JSON.stringify(outcome))
      if (outcome?.kind === 'verdict') bought += 1
      const quote = await fetch(`${url}/api/validate/iban`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"value":"x"}',
      })
      await quote.arrayBuffer()
      answers.push(quote.status === 402 ? 'quote' : String(quote.status))
    }
    return { buyer, bought }
  })
  for (const replica of fleet.replicas) await update(replica)
  isUpdating = false
  const served = await Promise.all(clients)
  await stop()
  for (const { buyer, bought } of served)
    expect(await fleet.world.balance(buyer.address)).toBe(BigInt(CALLS - bought) * PRICE)
  const lost = answers.filter((answer) => answer !== 'verdict' && answer !== 'quote')
  console.log(`${proxy.name}: ${answers.length} calls, ${lost.length} lost`)
  return lost
}

const names = (groups: (targets: readonly number[]) => readonly ProxyProgram[]) =>
  groups([]).map(({ name }, index) => [name, index] as const)
const targets = () => fleet.replicas.map(({ url }) => Number(new URL(url).port))

describe('where the successor listens before the old process stops, nothing is lost behind', () => {
  test.each(names(defaultGroups))('%s at its defaults', async (_name, index) => {
    expect(await buyDuringUpdate(defaultGroups(targets())[index]!, (replica) => replica.replace())).toEqual(
      [],
    )
  })
})

describe('where the port is closed while a process restarts, nothing is lost behind', () => {
  test.each(names(patientGroups))('%s', async (_name, index) => {
    const restart = async (replica: LiveService) => {
      await replica.stop()
      await replica.start()
    }
    expect(await buyDuringUpdate(patientGroups(targets())[index]!, restart)).toEqual([])
  })
})
