/** What a transaction costs beside its gas, on chains of the OP stack and on others. */
import { eip3009ABI } from '@x402/evm'
import {
  ContractFunctionZeroDataError,
  encodeFunctionData,
  type PublicClient,
  type TransactionReceipt,
} from 'viem'
import { describe, expect, test } from 'vitest'
import {
  createDataFee,
  DATA_FEE_ORACLE,
  SETTLEMENT_DATA,
} from '../../../../../src/payments/facilitators/self/gas/data-fee.ts'
import { nonceOf, payerOf } from '../../../../support/settlement-calls.ts'

type Question = { readonly address: string; readonly functionName: string; readonly args: readonly [bigint] }

function bench(answer: (question: Question) => bigint = () => 0n) {
  const asked: [string, bigint][] = []
  const clock = { at: 0 }
  const fee = createDataFee(
    {
      readContract: async (question: Question) => {
        expect(question.address).toBe(DATA_FEE_ORACLE)
        asked.push([question.functionName, question.args[0]])
        return answer(question)
      },
    } as unknown as PublicClient,
    { now: () => 0, monotonicMs: () => clock.at, sleep: async () => {} },
  )
  return { fee, asked, clock }
}
const bytes = (count: number) => `0x${'ab'.repeat(count)}` as const
const mined = (members: object) =>
  ({ gasUsed: 1_000n, effectiveGasPrice: 7n, ...members }) as unknown as TransactionReceipt

describe('before it is mined', () => {
  test('it is at most the fee for its data and that of the operator', async () => {
    const { fee } = bench(({ functionName }) => (functionName === 'getL1FeeUpperBound' ? 300n : 40n))
    expect(await fee.before(bytes(10), 100_000n)).toBe(340n)
  })

  // A frame of 110 bytes around the data; steps of 64 bytes and 50,000 gas.
  test.each([
    [0, 128n, 0n, 0n],
    [18, 128n, 1n, 50_000n],
    [19, 192n, 50_000n, 50_000n],
    [82, 192n, 50_001n, 100_000n],
    [83, 256n, 100_000n, 100_000n],
  ])('%i bytes are asked for as %i, and %i gas as %i', async (count, size, gas, step) => {
    const { fee, asked } = bench()
    await fee.before(bytes(count), gas)
    expect(asked).toEqual([
      ['getL1FeeUpperBound', size],
      ['getOperatorFee', step],
    ])
  })

  test('an answer is used for ten seconds', async () => {
    const { fee, asked, clock } = bench()
    await fee.before(bytes(1), 1n)
    clock.at = 9_999
    await fee.before(bytes(2), 2n)
    expect(asked).toHaveLength(2)
    clock.at = 10_000
    await fee.before(bytes(1), 1n)
    expect(asked).toHaveLength(4)
  })

  test('a chain without the contract has no fee for data; a node that does not answer is not taken for one', async () => {
    const without = bench(() => {
      throw new ContractFunctionZeroDataError({ functionName: 'getOperatorFee' })
    })
    expect(await without.fee.before(bytes(1), 1n)).toBe(0n)
    const away = bench(() => {
      throw new Error('no answer')
    })
    await expect(away.fee.before(bytes(1), 1n)).rejects.toThrow('no answer')
  })

  test('the data of one settlement, whose signature is in three parts, is as long as it is counted', () => {
    const args = [payerOf(1), payerOf(2), 1n, 0n, 9n, nonceOf(1), 27, nonceOf(2), nonceOf(3)]
    const data = encodeFunctionData({
      abi: eip3009ABI,
      functionName: 'transferWithAuthorization',
      args: args as never,
    })
    expect(SETTLEMENT_DATA).toHaveLength(data.length)
  })
})

describe('by its receipt', () => {
  test('it is the gas, the fee for its data and that of the operator', async () => {
    const { fee, asked } = bench(() => 5n)
    const receipt = { l1Fee: '0x64', operatorFeeScalar: '0x0', operatorFeeConstant: '0x1' }
    expect(await fee.costOf(mined(receipt))).toBe(7_105n)
    expect(
      await fee.costOf(mined({ ...receipt, operatorFeeScalar: '0x1', operatorFeeConstant: '0x0' })),
    ).toBe(7_105n)
    expect(asked).toEqual([['getOperatorFee', 1_000n]])
  })

  test.each([
    ['absent', {}],
    ['zero', { l1Fee: '0x0', operatorFeeScalar: '0x0', operatorFeeConstant: '0x0' }],
    ['no numbers', { l1Fee: '1', operatorFeeScalar: 'x0x1', operatorFeeConstant: '0x1g' }],
    ['without digits', { l1Fee: '0x', operatorFeeScalar: null, operatorFeeConstant: 7 }],
    ['too long', { l1Fee: `0x${'1'.repeat(65)}`, operatorFeeScalar: `0x${'1'.repeat(65)}` }],
  ])('it is the gas alone where the other members are %s', async (_what, members) => {
    const { fee, asked } = bench(() => 5n)
    expect(await fee.costOf(mined(members))).toBe(7_000n)
    expect(asked).toEqual([])
  })

  test('hexadecimal digits of either case are read, up to 32 bytes', async () => {
    const { fee } = bench()
    expect(await fee.costOf(mined({ l1Fee: '0xfF' }))).toBe(7_255n)
    expect(await fee.costOf(mined({ l1Fee: `0x${'0'.repeat(62)}10` }))).toBe(7_016n)
  })
})
