/** Two local MCP servers share the sum of a day while both are killed again and again, each time at another byte. */
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openSpending } from '../../packages/command/src/mcp/spending.ts'
import { CLI, run } from '../support/command.ts'
import { type CountingRelay, startCountingRelay } from '../support/counting-relay.ts'
import { validIban } from '../support/identifiers.ts'
import { startTestService, type TestService } from '../support/sandbox-service.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { scratchDir } from '../support/service-process.ts'

// A process for each kill, however busy the machine is.
vi.setConfig({ testTimeout: 1_200_000 })

const PRICE = 1_000n
const ROUNDS = 15
const CALLS = 4
/** Below what all rounds together would spend. */
const LIMIT = 60n * PRICE
/** About the traffic of its calls. */
const BYTES = 60_000

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

/** What a host says: its calls follow each other without waiting. */
function said(seed: number): string {
  const initialize = {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'host', version: '1' } },
  }
  const calls = Array.from({ length: CALLS }, (_, at) => ({
    method: 'tools/call',
    params: { name: 'validate_iban', arguments: { value: validIban('DE', seed * CALLS + at + 1) } },
  }))
  const requests = [initialize, ...calls].map((message, id) => ({ jsonrpc: '2.0', id, ...message }))
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
  return requests
    .toSpliced(1, 0, initialized as never)
    .map((message) => `${JSON.stringify(message)}\n`)
    .join('')
}

test('every transfer counts for the day, and the limit is never passed', async () => {
  const relays = await Promise.all([service.port, service.port].map(startCountingRelay))
  const random = new SeededRandom(20_261_127)
  const scratch = scratchDir()
  const spendingFile = join(scratch.path, 'spending.sqlite')
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  const funds = 10n * LIMIT
  await service.sandbox.fund(address, funds)
  const env = { HOME: scratch.path, BUYER_PRIVATE_KEY: key }
  const serve = (relay: CountingRelay, seed: number) => {
    const limits = ['--spending', spendingFile, '--max-spend', '0.06']
    const { child, ended } = run([CLI, 'mcp', '--url', relay.url, ...limits], { env, input: said(seed) })
    relay.cutAfter(random.int(BYTES), () => child.kill('SIGKILL'))
    return ended
  }

  let killed = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const ended = await Promise.all(relays.map((relay, at) => serve(relay, round * relays.length + at)))
    killed += ended.filter(({ signal }) => signal === 'SIGKILL').length
  }
  expect(killed).toBeGreaterThan(0)
  // What was sent is settled also without its buyer.
  await expect.poll(() => service.rows().filter(({ state }) => state === 'settling')).toEqual([])

  const spending = openSpending(spendingFile, LIMIT, Date.now)
  const [counted, paid] = [spending.today(), funds - (await service.balance(address))]
  console.log(`${killed} kills: ${counted} counted, ${paid} paid`)
  spending.close()
  expect(paid).toBeGreaterThan(0n)
  expect(counted).toBeGreaterThanOrEqual(paid)
  expect(counted).toBeLessThanOrEqual(LIMIT)
  await Promise.all(relays.map((relay) => relay.stop()))
  scratch.remove()
})
