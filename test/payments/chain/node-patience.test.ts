/** How long a node may take over a question, by timers that the test puts forward. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { createRpcChainReader } from '../../../src/payments/chain/rpc-chain-reader.ts'
import { createRpcChannelReader } from '../../../src/payments/channels/chain/rpc-channel-reader.ts'
import { createGasGauge } from '../../../src/payments/facilitators/self/gas/gas-level.ts'
import { createSelfFacilitator } from '../../../src/payments/facilitators/self/self-facilitator.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import { freshAccount } from '../../support/chain-payments.ts'
import { eventually } from '../../support/eventually.ts'
import { type OddServer, startOddServer } from '../../support/odd-server.ts'

let server: OddServer
beforeEach(async () => {
  server = await startOddServer()
  server.behave(() => {})
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await server.stop()
})

const token = BASE.token.address
const account = freshAccount()

function admission(rpcUrls: readonly string[]) {
  const treasury = { ...{ ledger: {}, ethUsd: 1n, dailyLoss: 1n }, now: () => 0, report: () => {} } as never
  const facilitator = createSelfFacilitator({
    account,
    chainId: BASE.chainId,
    finalityDepth: 0n,
    token,
    rpcUrls,
    treasury,
  })
  facilitator.close()
  return facilitator.admits({ kind: 'refund', payer: account.address })
}

test.each<[string, number, (url: string) => Promise<unknown>]>([
  ['the newest block', 2, (rpcUrl) => createRpcChainReader({ rpcUrl, token }).head()],
  [
    'a channel',
    2,
    (url) => createRpcChannelReader({ network: BASE, rpcUrls: [url] }).state(`0x${'ab'.repeat(32)}`),
  ],
  ['the ether left', 2, (url) => createGasGauge({ rpcUrls: [url], account: account.address })()],
  ['the price of an act', 1, (url) => admission([url])],
])('a node that does not say %s is given seconds and no minute, and asked %d times', async (_what, tries, ask) => {
  let seconds: number | undefined
  let passed = 0
  const asked = expect(
    ask(server.url).finally(() => {
      seconds = passed / 1_000
    }),
  ).rejects.toThrow(ChainUnavailable)
  while (seconds === undefined) {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    vi.advanceTimersByTime(100)
    passed += 100
  }
  await asked
  expect(seconds).toBeGreaterThan(2)
  expect(seconds).toBeLessThan(30)
  vi.useRealTimers()
  await eventually(async () => {
    const questions = server.seen.map(({ body }) => JSON.stringify({ ...JSON.parse(body), id: 0 }))
    return new Set(Object.values(Object.groupBy(questions, String)).map((alike) => alike?.length))
  }).toEqual(new Set([tries]))
})
