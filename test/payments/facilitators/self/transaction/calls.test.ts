/** The calls in a transaction, and which of its logs belong to each. */
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import {
  aggregate,
  authorizationOf,
  callOfAll,
  countOf,
  MULTICALL3,
  partsOf,
} from '../../../../../src/payments/chain/settlement-calls.ts'
import { pairOf, sharesOf } from '../../../../../src/payments/facilitators/self/transaction/payer-nonce.ts'
import {
  carries,
  contentOf,
  costOf,
} from '../../../../../src/payments/facilitators/self/transaction/settlement-transaction.ts'
import {
  AMOUNT,
  CALLED_TOKEN,
  logsOf,
  nonceOf,
  payerOf,
  settlement,
} from '../../../../support/settlement-calls.ts'

const name = (payer: number) => ({ payer: payerOf(payer), nonce: nonceOf(payer) })
const other = { to: CALLED_TOKEN, data: encodeFunctionData({ abi: erc20Abi, functionName: 'totalSupply' }) }
const calls = [1, 2, 3].map((payer) => settlement(payer))

describe('a batch', () => {
  test('holds its calls in order; one call leaves without it', () => {
    const batch = callOfAll(calls)
    expect(batch.to).toBe(MULTICALL3)
    expect([partsOf(batch), countOf(batch)]).toEqual([calls, 3])
    const [only] = calls
    expect(callOfAll(calls.slice(0, 1))).toBe(only)
    expect([partsOf(only as never), countOf(only as never)]).toEqual([[only], 1])
    expect(() => callOfAll([])).toThrow('a transaction makes a call')
    expect(countOf(callOfAll(Array.from({ length: 64 }, (_, payer) => settlement(payer))))).toBe(64)
  })

  test('lets each call fail without the others', () => {
    expect(callOfAll(calls)).toEqual(aggregate(calls, true))
    expect(callOfAll(calls)).not.toEqual(aggregate(calls, false))
  })

  test('names the authorizations it uses, in lower case, and what they are worth', () => {
    const { data } = settlement(0xab)
    expect(authorizationOf(data)).toEqual({ ...name(0xab), value: AMOUNT })
    expect(authorizationOf(other.data)).toBeUndefined()
    expect(authorizationOf('0x')).toBeUndefined()
  })
})

describe('the logs of a transaction', () => {
  const [foreign] = logsOf(9, 0)
  const logs = [
    { ...foreign, address: MULTICALL3, logIndex: 3 },
    ...logsOf(1, 4),
    ...logsOf(2, 6),
    ...logsOf(4, 8),
  ]
  const receipt = { logs } as unknown as Parameters<typeof pairOf>[0]

  test('are two for each authorization that was used', () => {
    expect(pairOf(receipt, CALLED_TOKEN, name(2))?.map(({ logIndex }) => logIndex)).toEqual([6, 7])
    expect(pairOf(receipt, CALLED_TOKEN, name(3))).toBeUndefined()
    expect(pairOf(receipt, MULTICALL3, name(2))).toBeUndefined()
  })

  test('say what each payer brought in, and leave out calls that are no settlement', () => {
    const elsewhere = { ...settlement(1), to: MULTICALL3 }
    expect(sharesOf([settlement(1), other, elsewhere, settlement(3)], receipt, CALLED_TOKEN)).toEqual([
      { payer: payerOf(1), amount: AMOUNT },
      { payer: payerOf(3), amount: 0n },
    ])
  })
})

describe('a signed transaction', () => {
  const account = privateKeyToAccount(nonceOf(7))
  const sign = (content: object) =>
    account.signTransaction({ type: 'eip1559', chainId: 8453, to: CALLED_TOKEN, ...content })

  test('says what it does and the most that it can cost', async () => {
    const fees = { maxFeePerGas: 5n, maxPriorityFeePerGas: 2n }
    const raw = await sign({ nonce: 3, gas: 7n, ...fees, data: '0xab' })
    expect(contentOf(raw)).toEqual({ nonce: 3, gas: 7n, fees, call: { to: CALLED_TOKEN, data: '0xab' } })
    expect(costOf(raw)).toBe(35n)
  })

  test('says so of the first one of an account, and of one that offers nothing', async () => {
    const raw = await sign({ nonce: 0 })
    const nothing = { gas: 0n, fees: { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n } }
    expect(contentOf(raw)).toEqual({ nonce: 0, ...nothing, call: { to: CALLED_TOKEN, data: '0x' } })
    expect(costOf(raw)).toBe(0n)
  })

  test('carries the calls in it, whatever the case of their bytes, and no others', async () => {
    const raw = await sign({ nonce: 1, ...callOfAll(calls) })
    const upper = ({ to, data }: { to: Hex; data: Hex }) =>
      ({ to: `0x${to.slice(2).toUpperCase()}`, data: `0x${data.slice(2).toUpperCase()}` }) as const
    for (const call of calls) expect([carries(raw, call), carries(raw, upper(call))]).toEqual([true, true])
    expect(carries(raw, settlement(4))).toBe(false)
    expect(carries(raw, { ...settlement(1), to: payerOf(5) })).toBe(false)
    expect(carries(raw, { to: CALLED_TOKEN, data: '0x' })).toBe(false)
  })
})
