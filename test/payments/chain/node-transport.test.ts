import type { PublicClient } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { nodeClient } from '../../../src/payments/chain/node-transport.ts'
import { stubFetch, unstubFetch } from '../../support/stub-fetch.ts'

const TIMEOUT_MS = 5_000
const [HANGS, REFUSES, ANSWERS] = ['http://hangs.test/', 'http://refuses.test/', 'http://answers.test/']
const [HANGS_ONCE, REJECTS] = ['http://hangs-once.test/', 'http://rejects.test/']
const REJECTED = { code: -32_003, message: 'rejected' }
const reply = (outcome: object) => Promise.resolve(Response.json({ jsonrpc: '2.0', id: 1, ...outcome }))

let asked: string[]
let hasHung: boolean
let isHanging: boolean
beforeEach(() => {
  asked = []
  hasHung = false
  isHanging = false
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  stubFetch(({ href: url, hostname }) => {
    // What another file of this worker left running may still ask its own node.
    if (!hostname.endsWith('.test')) return Promise.reject(new Error('not of this test'))
    asked.push(url)
    if (url === REFUSES) return Promise.reject(new Error('refused'))
    if (url === REJECTS) return reply({ error: REJECTED })
    if (url === ANSWERS || (url === HANGS_ONCE && hasHung)) return reply({ result: '0x7' })
    hasHung = true
    isHanging = true
    return new Promise(() => {})
  })
})
afterEach(() => {
  vi.useRealTimers()
  unstubFetch()
})

const BLOCK = (client: PublicClient) => client.getBlockNumber()
const SEND = async (client: PublicClient) =>
  (await client.sendRawTransactionSync({ serializedTransaction: '0x02' })).blockNumber

/** Returns a function that asks for the number of a block, and gives it, or null, and which nodes were asked. */
function questions(...rpcUrls: readonly string[]) {
  const client = nodeClient({ rpcUrls, timeoutMs: TIMEOUT_MS, retryCount: 0 })
  return async (question = BLOCK) => {
    asked = []
    let answer: bigint | null | undefined
    void question(client).then(
      (number) => (answer = number),
      () => (answer = null),
    )
    while (answer === undefined) {
      // Time passes only while a node hangs.
      if (!isHanging) await new Promise(setImmediate)
      else {
        isHanging = false
        await vi.advanceTimersByTimeAsync(TIMEOUT_MS)
      }
    }
    return [answer, ...asked]
  }
}

test.each([
  [0, [ANSWERS]],
  [29_999, [ANSWERS]],
  [30_000, [HANGS, ANSWERS]],
])('a node that hangs is passed over for half a minute: %i ms later', async (later, nodes) => {
  const ask = questions(HANGS, ANSWERS)
  expect(await ask()).toEqual([7n, HANGS, ANSWERS])
  vi.advanceTimersByTime(later)
  expect(await ask()).toEqual([7n, ...nodes])
})

test('one that refuses is asked each time, and so is the last, also if it hangs', async () => {
  const ask = questions(REFUSES, HANGS)
  for (const _ of [1, 2]) expect(await ask()).toEqual([null, REFUSES, HANGS])
})

test.each([
  ['refuses', REFUSES],
  ['hangs', HANGS],
])('one that hung is asked again if the last one %s', async (_, last) => {
  const ask = questions(HANGS_ONCE, HANGS, last)
  expect(await ask()).toEqual([null, HANGS_ONCE, HANGS, last])
  expect(await ask()).toEqual([7n, HANGS_ONCE])
})

test('but not because the last one answers that it rejects a transaction', async () => {
  const ask = questions(HANGS, REJECTS)
  expect(await ask()).toEqual([null, HANGS, REJECTS])
  expect(await ask()).toEqual([null, REJECTS])
})

test('a node that waits for the receipt of what it is sent does not hang', async () => {
  const ask = questions(HANGS_ONCE, REJECTS)
  expect(await ask(SEND)).toEqual([null, HANGS_ONCE, REJECTS])
  expect(await ask()).toEqual([7n, HANGS_ONCE])
})
