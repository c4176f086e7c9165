import { randomBytes } from 'node:crypto'
import { type Hex, toHex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Server, startWorld } from '../../bench/servers/our-service.ts'
import { createRpcChainReader } from '../../src/payments/chain/rpc-chain-reader.ts'
import { BASE } from '../../src/payments/networks/base.ts'

let world: Server
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const someBytes = (length: number): Hex => toHex(randomBytes(length))

it('the chain of the benchmark has what its facilitator settled, and nothing else', async () => {
  const [from, to, nonce] = [someBytes(20), someBytes(20), someBytes(32)]
  const authorization = { from, to, value: '1000', validAfter: '0', validBefore: '9', nonce }
  const settled = await fetch(`http://127.0.0.1:${world.port}/fast/settle`, {
    method: 'POST',
    body: JSON.stringify({ paymentPayload: { payload: { authorization } } }),
  })
  const { transaction } = (await settled.json()) as { transaction: string }
  const reader = createRpcChainReader({
    rpcUrl: `http://127.0.0.1:${world.port}/rpc`,
    token: BASE.token.address,
  })
  const { number } = await reader.head()
  const query = { payer: from, payTo: to, amount: 1_000n, fromBlock: number - 10n }
  expect(await reader.trace({ ...query, nonce })).toEqual({
    kind: 'used',
    payments: [{ transaction, logIndex: 0, blockNumber: expect.any(BigInt) }],
    elsewhere: [],
  })
  expect(await reader.trace({ ...query, nonce: someBytes(32) })).toEqual({ kind: 'unused' })
})
