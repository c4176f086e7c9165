/** What own settlements ask a node beside receipts: gas, code, and which calls can go together. */

import { ExecutionRevertedError, type Hex, type PublicClient, toHex } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../../../src/payments/chain/chain-reader.ts'
import { AGGREGATOR, type BatchForm, partsOf } from '../../../../../src/payments/chain/settlement-calls.ts'
import { estimateGas } from '../../../../../src/payments/facilitators/self/gas/gas.ts'
import { createGasGauge } from '../../../../../src/payments/facilitators/self/gas/gas-level.ts'
import {
  chooseBatch,
  findBatchForm,
} from '../../../../../src/payments/facilitators/self/queue/choose-batch.ts'
import { createMutex } from '../../../../../src/payments/facilitators/self/queue/mutex.ts'
import { isRevert } from '../../../../../src/payments/facilitators/self/transaction/rpc-faults.ts'
import { gasStatusOf } from '../../../../../src/payments/ports/own-settlement.ts'
import { eventually } from '../../../../support/eventually.ts'
import { type OddServer, sendJson, startOddServer } from '../../../../support/odd-server.ts'
import { payerOf, settlement } from '../../../../support/settlement-calls.ts'

const SENDER = payerOf(98)

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

describe('a batch', () => {
  interface Given {
    /** What calls need, by how many there are. */
    readonly gas?: (count: number) => bigint
    /** A byte for each call that was simulated. */
    readonly made?: unknown
    readonly form?: BatchForm
  }
  function bench({ gas = () => 150_000n, made = '0x', form = 'deployed' }: Given) {
    const asked: string[] = []
    const client = {
      request: async ({ method, params: [{ from, to, data }, block] }: Asked) => {
        expect([method, from, to, block]).toEqual(['eth_call', SENDER, undefined, 'latest'])
        asked.push(`report of ${partsOf({ to: null, data }, 'report').length}`)
        return made
      },
      estimateGas: async ({ account, to, data }: { account: Hex; to: Hex | null; data: Hex }) => {
        expect([account, to]).toEqual([SENDER, form === 'deployed' ? AGGREGATOR : null])
        // If calls may fail, the estimate could be that of a failure.
        const count = partsOf({ to, data }, 'all or nothing').length
        asked.push(`gas of ${count}`)
        return gas(count)
      },
    } as unknown as PublicClient
    return { client, asked, form }
  }
  type Asked = { method: string; params: readonly [{ from: Hex; to?: Hex; data: Hex }, string] }
  const items = [1, 2, 3].map((payer) => ({ call: settlement(payer) }))
  const [one, two, three] = items
  const fails = (): bigint => {
    throw new Error('reverted')
  }
  /** Fails for three. */
  const forTwo = (count: number) => (count === 3 ? fails() : 100_000n)
  const alone = { fit: [], gas: 0n, others: items }

  test.each<[string, Given, object, readonly string[]]>([
    ['goes together if all can be made', {}, { fit: items, gas: 180_000n, others: [] }, ['gas of 3']],
    [
      'goes together if it is sent along',
      { form: 'sent along' },
      { fit: items, gas: 180_000n, others: [] },
      ['gas of 3'],
    ],
    [
      'may need as much gas as its calls alone',
      { gas: () => 300_000n },
      { fit: items, gas: 360_000n, others: [] },
      ['gas of 3'],
    ],
    [
      'that needs more is tried call by call, and those that work go together if they may',
      { gas: (count) => (count === 3 ? 300_001n : 200_000n), made: '0x010001' },
      { fit: [one, three], gas: 240_000n, others: [two] },
      ['gas of 3', 'report of 3', 'gas of 2'],
    ],
    [
      'whose calls work, but need too much gas, goes alone',
      { gas: () => 300_001n, made: '0x010101' },
      alone,
      ['gas of 3', 'report of 3', 'gas of 3'],
    ],
    ['of which one works goes alone', { gas: forTwo, made: '0x010000' }, alone, ['gas of 3', 'report of 3']],
    [
      'of two goes alone if it would be sent along, which costs more',
      { gas: forTwo, made: '0x010100', form: 'sent along' },
      alone,
      ['gas of 3', 'report of 3'],
    ],
    [
      // Such as a contract that a reorganisation took back.
      'whose gas is that of nothing goes alone',
      { gas: (count) => BigInt(count) * 24_999n, made: '0x010101' },
      alone,
      ['gas of 3', 'report of 3', 'gas of 3'],
    ],
  ])('%s', async (_what, given, expected, questions) => {
    const { client, asked, form } = bench(given)
    expect(await chooseBatch(client, SENDER, items, form)).toEqual(expected)
    expect(asked).toEqual(questions)
  })

  test('leaves alone what is no packed transfer', async () => {
    const other = { call: { to: payerOf(5), data: '0x' as Hex } }
    const { client, asked } = bench({ made: '0x0101' })
    expect(await chooseBatch(client, SENDER, [other, one, two] as never, 'deployed')).toEqual({
      ...{ fit: [one, two], gas: 180_000n, others: [other] },
    })
    expect(asked).toEqual(['report of 2', 'gas of 2'])
    expect(await chooseBatch(client, SENDER, [other, other], 'deployed')).toMatchObject({ fit: [] })
  })

  test.each([
    'nonsense',
    '0x01',
    '0x01010101',
    null,
  ])('is not known to work if the node says %s', async (made) => {
    const { client, form } = bench({ gas: forTwo, made })
    await expect(chooseBatch(client, SENDER, items, form)).rejects.toThrow(ChainUnavailable)
  })

  test.each<[string, unknown, unknown, BatchForm | null]>([
    ['has the aggregator', '0x60', '0x01', 'deployed'],
    ['has it, and runs no code without an address', '0x60', 'nonsense', 'deployed'],
    ['has no code there', '0x', '0x01', 'sent along'],
    ['knows of no code there', undefined, '0x01', 'sent along'],
    ['has no code there and runs none', '0x', 'nonsense', null],
  ])('can be sent on a node that %s', async (_what, code, made, expected) => {
    const client = {
      getCode: async ({ address }: { address: Hex }) => (address === AGGREGATOR ? code : '0x60'),
      request: async () => made,
    } as unknown as PublicClient
    expect(await findBatchForm(client)).toBe(expected)
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
    const cost = 69_000n * BigInt(base + tip) + BigInt(2 * data)
    expect(await gauge()).toEqual({ settlementsLeft, cost })
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
