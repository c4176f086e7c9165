import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fleet, startFleet } from './bench/fleet.ts'

const LIMIT = 60
const EACH = 25

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet({ RATE_LIMIT_UNPAID: String(LIMIT) })
})
afterAll(() => fleet.stop())

const ask = async (url: string) => {
  const answer = await fetch(`${url}/api/validate/iban`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"value":"x"}',
  })
  await answer.arrayBuffer()
  return answer.status
}

test('a client under the limit of each replica and over that of all is held back by every one', async () => {
  for (const { url } of fleet.replicas)
    for (let n = 0; n < EACH; n += 1) expect([402, 429]).toContain(await ask(url))
  for (const { url } of fleet.replicas) await expect.poll(() => ask(url)).toBe(429)
})
