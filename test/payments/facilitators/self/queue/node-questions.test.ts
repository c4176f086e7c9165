/** What own settlements ask a node beside receipts: gas, code, and which calls can go together. */

import {
  concatHex,
  ExecutionRevertedError,
  encodeFunctionResult,
  type Hex,
  multicall3Abi,
  type PublicClient,
  pad,
  toHex,
} from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../../../src/payments/chain/chain-reader.ts'
import {
  aggregate,
  type ContractCall,
  MULTICALL3,
  partsOf,
} from '../../../../../src/payments/chain/settlement-calls.ts'
import { estimateGas } from '../../../../../src/payments/facilitators/self/gas/gas.ts'
import { createGasGauge } from '../../../../../src/payments/facilitators/self/gas/gas-level.ts'
import {
  chooseBatch,
  hasMulticall3,
} from '../../../../../src/payments/facilitators/self/queue/choose-batch.ts'
import { createMutex } from '../../../../../src/payments/facilitators/self/queue/mutex.ts'
import { readCodeSizes } from '../../../../../src/payments/facilitators/self/transaction/code-sizes.ts'
import { isRevert } from '../../../../../src/payments/facilitators/self/transaction/rpc-faults.ts'
import { gasStatusOf } from '../../../../../src/payments/ports/own-settlement.ts'
import { eventually } from '../../../../support/eventually.ts'
import { type OddServer, sendJson, startOddServer } from '../../../../support/odd-server.ts'
import { nonceOf, payerOf, settlement } from '../../../../support/settlement-calls.ts'

const SENDER = payerOf(98)
const words = (...sizes: readonly number[]) => concatHex(sizes.map((size) => toHex(size, { size: 32 })))

describe('gas', () => {
  const estimate = (gas: bigint, limit: bigint) => {
    const asked: object[] = []
    const client = {
      estimateGas: async (question: object) => {
        asked.push(question)
        return gas
      },
    } as unknown as PublicClient
    return { asked, answer: estimateGas(client, SENDER, settlement(1), { maxFeePerGas: 3n }, limit) }
  }

  test('is what the node estimates at the fees that will be paid, and a fifth more', async () => {
    const { asked, answer } = estimate(85_001n, 85_001n)
    expect(await answer).toBe(102_001n)
    expect(asked).toEqual([{ account: SENDER, ...settlement(1), maxFeePerGas: 3n }])
  })

  test('beyond the limit is not paid', async () => {
    await expect(estimate(85_002n, 85_001n).answer).rejects.toThrow('more than the 85001 allowed')
  })
})

describe('code', () => {
  test('is counted in bytes for each address, by one call of the newest state', async () => {
    const asked: unknown[] = []
    let answer: unknown = words(7, 0)
    const client = {
      request: async (question: unknown) => {
        asked.push(question)
        return answer
      },
    } as unknown as PublicClient
    const addresses = [payerOf(1), payerOf(2)]
    expect(await readCodeSizes(client, addresses)).toEqual([7, 0])
    const [{ method, params }] = asked as [{ method: string; params: readonly [{ data: Hex }, string] }]
    expect([method, params[1]]).toEqual(['eth_call', 'latest'])
    expect(params[0].data.endsWith(concatHex(addresses.map((each) => pad(each))).slice(2))).toBe(true)
    for (answer of [words(7), words(7, 0, 0), 'nonsense', null])
      await expect(readCodeSizes(client, addresses)).rejects.toThrow(ChainUnavailable)
  })
})

describe('a batch', () => {
  interface Given {
    readonly sizes?: readonly number[] | 'no answer'
    /** What calls need, by how many there are. */
    readonly gas?: (count: number) => bigint
    readonly works?: readonly boolean[]
  }
  function bench({ sizes, gas = () => 50_000n, works = [] }: Given) {
    const asked: string[] = []
    const client = {
      request: async ({ params: [{ data }] }: { params: readonly [{ data: Hex }] }) => {
        asked.push('sizes')
        if (sizes === 'no answer') throw new Error('no answer')
        const count = (data.length - 2) / 64 - 1
        return words(...(sizes ?? Array.from({ length: Math.floor(count) }, (_, at) => (at === 0 ? 9 : 0))))
      },
      estimateGas: async ({ account, to, data }: { account: Hex; to: Hex; data: Hex }) => {
        expect([account, to]).toEqual([SENDER, MULTICALL3])
        // If calls may fail, the estimate could be that of a failure.
        expect(data).toBe(aggregate(partsOf({ to, data }), false).data)
        const count = [2, 3].find(
          (each) => aggregate(calls.slice(0, each), false).data.length === data.length,
        ) as number
        asked.push(`gas of ${count}`)
        return gas(count)
      },
      call: async ({ account, to }: { account: Hex; to: Hex }) => {
        expect([account, to]).toEqual([SENDER, MULTICALL3])
        asked.push('simulation')
        return {
          data: encodeFunctionResult({
            ...{ abi: multicall3Abi, functionName: 'aggregate3' },
            result: works.map((success) => ({ success, returnData: '0x' as Hex })),
          }),
        }
      },
    } as unknown as PublicClient
    return { client, asked }
  }
  const calls = [1, 2, 3].map((payer) => settlement(payer))
  const items = calls.map((call, index) => ({ call, name: { payer: payerOf(index + 1), nonce: nonceOf(1) } }))
  const [one, two, three] = items
  const sizesOf = (...payers: readonly number[]) => [9, ...payers]
  const fails = (): bigint => {
    throw new Error('reverted')
  }
  /** Fails for three, and is cheap for two. */
  const forTwo = (count: number) => (count === 3 ? fails() : 50_000n)
  const alone = { fit: [], gas: 0n, others: items }

  test.each<[string, Given, object, readonly string[]]>([
    ['of ordinary payers goes together', {}, { fit: items, gas: 60_000n, others: [] }, ['sizes', 'gas of 3']],
    [
      'may need as much gas as its calls alone',
      { gas: () => 300_000n },
      { fit: items, gas: 360_000n, others: [] },
      ['sizes', 'gas of 3'],
    ],
    [
      'that needs more is tried call by call, and those that work go together if they may',
      { gas: (count) => (count === 3 ? 300_001n : 200_000n), works: [true, false, true] },
      { fit: [one, three], gas: 240_000n, others: [two] },
      ['sizes', 'gas of 3', 'simulation', 'gas of 2'],
    ],
    [
      'whose calls work, but need too much gas, goes alone',
      { gas: () => 300_001n, works: [true, true, true] },
      alone,
      ['sizes', 'gas of 3', 'simulation', 'gas of 3'],
    ],
    [
      'leaves out payers with code, although all work together',
      { sizes: sizesOf(0, 1, 0), works: [true, true] },
      { fit: [one, three], gas: 60_000n, others: [two] },
      ['sizes', 'gas of 3', 'simulation', 'gas of 2'],
    ],
    [
      'with one ordinary payer goes alone, without a simulation',
      { sizes: sizesOf(0, 1, 1) },
      alone,
      ['sizes', 'gas of 3'],
    ],
    [
      'of which one works goes alone',
      { gas: forTwo, works: [true, false, false] },
      alone,
      ['sizes', 'gas of 3', 'simulation'],
    ],
    ['goes alone where there is no Multicall3', { sizes: [0, 0, 0, 0] }, alone, ['sizes', 'gas of 3']],
    ['goes alone where the sizes are not known', { sizes: 'no answer' }, alone, ['sizes', 'gas of 3']],
  ])('%s', async (_what, given, expected, questions) => {
    const { client, asked } = bench(given)
    expect(await chooseBatch(client, SENDER, items)).toEqual(expected)
    expect(asked).toEqual(questions)
  })

  test('looks at the called contract for a call that uses no authorization', async () => {
    const seen: Hex[] = []
    const client = {
      request: async ({ params: [{ data }] }: { params: readonly [{ data: Hex }] }) => {
        seen.push(data)
        return words(9, 0)
      },
      estimateGas: async () => 1n,
    } as unknown as PublicClient
    const call: ContractCall = { to: payerOf(5), data: '0x' }
    await chooseBatch(client, SENDER, [{ call }])
    const addresses = concatHex([pad(MULTICALL3), pad(payerOf(5))]).slice(2)
    expect(seen[0]?.toLowerCase()).toMatch(new RegExp(`${addresses.toLowerCase()}$`))
  })

  test.each<[string, unknown, unknown, boolean]>([
    ['has it and counts code', '0x60', words(1), true],
    ['has it and does not count code', '0x60', 'nonsense', false],
    ['has it, and counts none', '0x60', words(0), false],
    ['has no code there', '0x', words(1), false],
    ['knows of no code there', undefined, words(1), false],
  ])('can be sent on a node that %s: %s', async (_what, code, sizes, expected) => {
    const client = {
      getCode: async ({ address }: { address: Hex }) => (address === MULTICALL3 ? code : '0x60'),
      request: async () => sizes,
    } as unknown as PublicClient
    expect(await hasMulticall3(client)).toBe(expected)
  })
})

test('a refusal of the contract is not taken for a node that does not answer', () => {
  expect(isRevert(new ExecutionRevertedError({ message: 'no' }))).toBe(true)
  expect(isRevert(new ChainUnavailable('down'))).toBe(false)
  expect(isRevert(new ExecutionRevertedError({ message: 'no' }).message)).toBe(false)
})

describe('the account that pays for settlements', () => {
  let server: OddServer
  beforeEach(async () => {
    server = await startOddServer()
  })
  afterEach(() => server.stop())

  test.each([
    [0, 'empty'],
    [1, 'low'],
    [499, 'low'],
    [500, 'ok'],
  ])('is, with %i settlements left, %s', (settlementsLeft, status) => {
    expect(gasStatusOf({ settlementsLeft })).toBe(status)
  })

  test.each([
    // A base fee of 100 with a fifth to spare, a tip of 3; for the data 7 and for the operator 7.
    ['at the price of the moment', { base: 100, tip: 3, data: 7 }, 12_300_014n * 3n - 1n, 2],
    ['and one more with the last wei', { base: 100, tip: 3, data: 7 }, 12_300_014n * 3n, 3],
    ['without end where nothing costs anything', { base: 0, tip: 0, data: 0 }, 1n, Number.MAX_SAFE_INTEGER],
  ])('can pay for settlements %s', async (_what, { base, tip, data }, balance, settlementsLeft) => {
    server.behave((response, request, socket) => {
      const { id, method } = JSON.parse(request.body) as { id: number; method: string }
      const results: Record<string, unknown> = {
        eth_getBalance: toHex(balance),
        eth_getBlockByNumber: {
          number: '0x1',
          timestamp: '0x1',
          baseFeePerGas: toHex(base),
          transactions: [],
        },
        eth_maxPriorityFeePerGas: toHex(tip),
        eth_call: toHex(data, { size: 32 }),
      }
      sendJson({ jsonrpc: '2.0', id, result: results[method] })(response, request, socket)
    })
    const gauge = createGasGauge({ rpcUrls: [server.url], account: SENDER })
    expect(await gauge()).toEqual({ settlementsLeft })
  })

  test('is asked for once more, and not known while the node does not answer', async () => {
    server.behave(sendJson({}, 500))
    const gauge = createGasGauge({ rpcUrls: [server.url], account: SENDER })
    await expect(gauge()).rejects.toThrow(ChainUnavailable)
    const balances = server.seen.filter(({ body }) => body.includes('eth_getBalance'))
    expect(balances.length).toBeLessThanOrEqual(2)
    await eventually(() => server.seen.filter(({ body }) => body.includes('eth_getBalance')).length).toBe(2)
  })
})

describe('a lock', () => {
  test('runs one work after the other, in order, also after one that failed, and inside another lock', async () => {
    const said: string[] = []
    const lock = createMutex(async (work) => {
      said.push('locked')
      try {
        return await work()
      } finally {
        said.push('free')
      }
    })
    const gate = Promise.withResolvers<void>()
    const failing = lock(async () => {
      await gate.promise
      throw new Error('failed')
    })
    const following = lock(async () => {
      said.push('work')
      return 7
    })
    await new Promise(setImmediate)
    expect(said).toEqual(['locked'])
    gate.resolve()
    await expect(failing).rejects.toThrow('failed')
    expect(await following).toBe(7)
    expect(said).toEqual(['locked', 'free', 'locked', 'work', 'free'])
    expect(await createMutex()(async () => 8)).toBe(8)
  })
})
