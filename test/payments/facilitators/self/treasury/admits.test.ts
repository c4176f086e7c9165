/** Whether an act of a channel may be paid for at the price of the moment, asked of a scripted node. */
import { custom, toHex } from 'viem'
import { expect, test } from 'vitest'
import { ChainUnavailable } from '../../../../../src/payments/chain/chain-reader.ts'
import { createSelfFacilitator } from '../../../../../src/payments/facilitators/self/self-facilitator.ts'
import { freshAccount } from '../../../../support/chain-payments.ts'

const ACT = { kind: 'refund', payer: '0x1' } as const
const ETHER = 10n ** 18n

function open(results: Record<string, unknown>, hasTreasury = true) {
  const asked: unknown[] = []
  const facilitator = createSelfFacilitator({
    ...{
      account: freshAccount(),
      chainId: 8453,
      finalityDepth: 0n,
      token: freshAccount().address,
      rpcUrls: [],
    },
    transport: custom({
      request: async ({ method }: { method: string }) => {
        if (results[method] === undefined) throw new Error('no answer')
        return results[method]
      },
    }),
    ...(hasTreasury
      ? {
          treasury: {
            ledger: {
              mayAct: async (...args: unknown[]) => {
                asked.push(args)
                return 'credit_spent'
              },
            } as never,
            ...{ ethUsd: ETHER / 1_000_000n, dailyLoss: 5n, now: () => 0, report: () => {} },
          },
        }
      : {}),
  })
  facilitator.close()
  return { facilitator, asked }
}

test('it is asked with the most that the act may cost: 175,000 gas and a kilobyte of data', async () => {
  const { facilitator, asked } = open({
    eth_getBlockByNumber: { number: '0x1', timestamp: '0x1', baseFeePerGas: toHex(10), transactions: [] },
    eth_maxPriorityFeePerGas: toHex(3),
    eth_call: toHex(7, { size: 32 }),
  })
  expect(await facilitator.admits(ACT)).toBe('credit_spent')
  expect(asked).toEqual([[ACT, 175_000n * 15n + 14n, { day: '1970-01-01', most: 5n }]])
})

test('it is admitted where the operator keeps no account, and not known while no node answers', async () => {
  expect(await open({}, false).facilitator.admits(ACT)).toBe('admitted')
  await expect(open({}).facilitator.admits(ACT)).rejects.toThrow(ChainUnavailable)
})
