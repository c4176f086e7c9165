import { rmSync } from 'node:fs'
import { toHex } from 'viem'
import { afterEach, beforeEach, test } from 'vitest'
import type { Ledger } from '../../../../src/ledger/ledger.ts'
import { createLog } from '../../../../src/log.ts'
import { openSettlement } from '../../../../src/payments/facilitators/self/open-settlement.ts'
import { DEFAULT_NETWORK } from '../../../../src/payments/networks/networks.ts'
import { freshAccount } from '../../../support/chain-payments.ts'
import { eventually } from '../../../support/eventually.ts'
import { openFreshStore } from '../../../support/fresh-store.ts'
import { type OddServer, sendJson, startOddServer } from '../../../support/odd-server.ts'

let node: OddServer
let ledger: Ledger
let dataDir: string
beforeEach(async () => {
  node = await startOddServer()
  ;({ ledger, dataDir } = await openFreshStore('own-facilitator'))
})
afterEach(async () => {
  await node.stop()
  await ledger.close()
  rmSync(dataDir, { recursive: true })
})

/** With ether at a dollar, 69,000 gas at this price and the data cost so many millionths of a dollar. */
const GWEI = 10n ** 9n
const priceOf = (millionths: bigint) => ({ tip: 10n * GWEI, data: (millionths * 1_000n - 690_000n) * GWEI })

test.each([
  [999n, []],
  [1_000n, ['sold_without_profit']],
])('a settlement of %i millionths is named at the start if that leaves nothing', async (cost, events) => {
  const { tip, data } = priceOf(cost)
  const results: Record<string, unknown> = {
    eth_getBalance: toHex(10n ** 18n),
    eth_getBlockByNumber: { number: '0x1', timestamp: '0x1', baseFeePerGas: '0x0', transactions: [] },
    eth_maxPriorityFeePerGas: toHex(tip),
    eth_getCode: '0x01',
  }
  let asked = 0
  node.behave((response, request, socket) => {
    const { id, method } = JSON.parse(request.body) as { id: number; method: string }
    // For the data, and then for the operator of the chain.
    const result = method === 'eth_call' ? toHex(asked++ === 0 ? data : 0n, { size: 32 }) : results[method]
    sendJson({ jsonrpc: '2.0', id, result })(response, request, socket)
  })
  const lines: string[] = []
  const log = createLog({ level: 'info', write: (line) => void lines.push(line) })
  const facilitator = await openSettlement(
    {
      facilitator: {
        ...{ kind: 'self', settlementKey: null, maxCost: 1n, dailyLoss: 1n, ethUsd: 1n },
        contractWallets: 'refuse',
      },
      chain: { network: DEFAULT_NETWORK, rpcUrls: [node.url] },
      ...{ baseUrl: 'http://127.0.0.1', store: { kind: 'sqlite', dataDir }, channels: null },
    } as never,
    freshAccount(),
    ledger,
    log,
  )
  await eventually(() => asked).toBe(2)
  await facilitator.gasLevel?.()
  await eventually(() => lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(events)
  await facilitator.close()
})
