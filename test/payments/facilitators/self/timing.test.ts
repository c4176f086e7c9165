/** How long an own settlement waits, looks and offers again when nothing is set, by the clock of a scripted node. */
import { custom, keccak256, toHex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { DATA_FEE_ORACLE } from '../../../../src/payments/facilitators/self/gas/data-fee.ts'
import {
  createSelfFacilitator,
  type SelfFacilitatorOptions,
} from '../../../../src/payments/facilitators/self/self-facilitator.ts'
import { TOKEN } from '../../../../src/sandbox/addresses.ts'
import { freshAccount, signPayment, termsFor } from '../../../support/chain-payments.ts'

/** What a sale waits for a settlement. */
const SALE_MS = 20_000

let at: number
let asked: string[]
let slept: number[]
let node: ReturnType<typeof answers>
beforeEach(() => {
  at = 1_000_000
  asked = []
  slept = []
  node = answers()
})

const answers = (): Record<string, (first: never) => unknown> => ({
  eth_blockNumber: () => '0x1',
  eth_getBlockByNumber: () => ({ number: '0x1', timestamp: '0x1', baseFeePerGas: '0xa', transactions: [] }),
  eth_maxPriorityFeePerGas: () => '0x1',
  eth_getCode: () => '0x',
  eth_call: ({ to }: { to: string }) => (to === DATA_FEE_ORACLE ? toHex(0, { size: 32 }) : '0x'),
  eth_estimateGas: () => toHex(80_000),
  eth_getBalance: () => toHex(10n ** 18n),
  eth_getTransactionCount: () => '0x0',
  eth_sendRawTransaction: (raw: `0x${string}`) => keccak256(raw),
  eth_getTransactionReceipt: () => null,
  // The node has what it was sent, so that a late transaction is replaced at a higher price.
  eth_getTransactionByHash: () => ({ hash: toHex(1, { size: 32 }), input: '0x', to: TOKEN }),
})

/** A facilitator over a node that takes every transaction and mines none. */
const open = (options: Partial<SelfFacilitatorOptions> = {}) =>
  createSelfFacilitator({
    ...{ account: freshAccount(), chainId: 8453, finalityDepth: 0n, token: TOKEN, rpcUrls: [] },
    transport: custom(
      {
        request: async ({ method, params: [first] = [] }: { method: string; params?: readonly never[] }) => {
          asked.push(method)
          const answer = node[method]
          if (answer === undefined) throw Object.assign(new Error('no such method'), { code: -32601 })
          return answer(first as never)
        },
      },
      { retryCount: 0 },
    ),
    clock: {
      now: () => at,
      monotonicMs: () => at,
      sleep: async (ms) => {
        at += ms
        slept.push(ms)
        await new Promise(setImmediate)
      },
    },
    ...options,
  })
const times = (method: string) => asked.filter((each) => each === method).length

test('a settlement and its second try end within what a sale waits, the first with time left for the second', async () => {
  const facilitator = open()
  const { payload, requirements } = await signPayment(freshAccount(), termsFor(freshAccount().address))
  const began = at
  const took: number[] = []
  for (const _ of [1, 2]) {
    expect(await facilitator.settle(payload, requirements)).toMatchObject({
      ...{ success: false, errorReason: 'settlement_pending' },
    })
    took.push(at - began)
  }
  facilitator.close()
  const [first = 0, second = 0] = took
  expect(first).toBeGreaterThan(SALE_MS / 2)
  expect(second).toBeGreaterThan(first + 1_000)
  expect(second).toBeLessThan(SALE_MS)
  // A look every half second or so, and another offer after a few blocks of two seconds.
  expect(Math.max(...slept)).toBeLessThanOrEqual(1_000)
  expect(times('eth_getTransactionReceipt')).toBeLessThan(SALE_MS / 100)
  expect([2, 3, 4]).toContain(times('eth_sendRawTransaction'))
  // The next one leaves a moment later, together with what comes in until then.
  expect(slept.filter((ms) => ms >= 10 && ms < 100)).toHaveLength(1)
})

test.each([
  ['0x60', false],
  ['0x', true],
])('whether a payer holds code is asked once a minute: %s', async (code, isValid) => {
  node.eth_getCode = () => code
  const facilitator = open({ contractWallets: 'refuse' })
  const { payload, requirements } = await signPayment(freshAccount(), termsFor(freshAccount().address))
  for (const [later, questions] of [
    [0, 1],
    [59_999, 1],
    [1, 2],
  ] as const) {
    at += later
    expect(await facilitator.verify(payload, requirements)).toMatchObject({ isValid })
    expect(times('eth_getCode')).toBe(questions)
  }
  facilitator.close()
})

test('channels are served if they are asked for, and not otherwise', async () => {
  const schemesOf = async (options: Partial<SelfFacilitatorOptions>) => {
    const facilitator = open(options)
    facilitator.close()
    return (await facilitator.getSupported()).kinds.map(({ scheme }) => scheme)
  }
  expect(await schemesOf({})).toEqual(['exact'])
  expect(await schemesOf({ channels: false })).toEqual(['exact'])
  expect(await schemesOf({ channels: true })).toEqual(['exact', 'batch-settlement'])
})
