import { BATCH_SETTLEMENT_ADDRESS } from '@x402/evm'
import { encodeAbiParameters } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { stubFetch, unstubFetch } from '../../../../../test/support/stub-fetch.ts'
import { NoNode } from '../../../src/buyer/channel/channel-account.ts'
import { channelReader } from '../../../src/buyer/channel/read-channel.ts'

afterEach(() => void unstubFetch())

const ID = `0x${'ab'.repeat(32)}` as const
const STATE = encodeAbiParameters([{ type: 'uint128' }, { type: 'uint128' }], [250_000n, 3_000n])

/** A node whose first answers have these statuses, and the later ones the channel; `calls` has what it was asked. */
function nodeAnswering(...statuses: number[]) {
  const calls: { to: string; data: string }[] = []
  stubFetch(async (_url: URL, { body }: { body: string }) => {
    const { id, params } = JSON.parse(body)
    calls.push(params[0])
    const status = statuses.shift()
    return status === undefined
      ? Response.json({ jsonrpc: '2.0', id, result: STATE })
      : Response.json({}, { status })
  })
  return calls
}

test('reads the channel from the contract', async () => {
  const calls = nodeAnswering()
  expect(await channelReader('https://node.example/')(ID)).toEqual({
    ...{ balance: 250_000n, totalClaimed: 3_000n },
  })
  const [{ to, data } = { to: '', data: '' }] = calls
  expect(to.toLowerCase()).toBe(BATCH_SETTLEMENT_ADDRESS.toLowerCase())
  expect(data.slice(10)).toBe(ID.slice(2))
})

test('asks a node again that fails once', async () => {
  nodeAnswering(503)
  expect(await channelReader('https://node.example/')(ID)).toMatchObject({ balance: 250_000n })
})

test('says that there is no node, with the reason', async () => {
  stubFetch(() => Promise.reject(new TypeError('reset')))
  const reading = channelReader('https://node.example/')(ID)
  await expect(reading).rejects.toBeInstanceOf(NoNode)
  await expect(reading).rejects.toMatchObject({ cause: expect.any(Error) })
})
