/** The calls in a transaction, and which of its logs belong to each. */
import { eip3009ABI } from '@x402/evm'
import { concatHex, encodeFunctionData, erc20Abi, type Hex, pad } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { packable } from '../../../../../src/payments/chain/aggregator/packed-batch.ts'
import type { ContractCall } from '../../../../../src/payments/chain/contract-call.ts'
import {
  AGGREGATOR,
  authorizationOf,
  batchOf,
  callOfAll,
  countOf,
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

const FORMS = ['deployed', 'sent along'] as const

describe.each(FORMS)('a batch that is %s', (form) => {
  test('holds its calls in order; one call leaves without it', () => {
    const batch = callOfAll(calls, form)
    expect(batch.to).toBe(form === 'deployed' ? AGGREGATOR : null)
    expect([partsOf(batch), countOf(batch)]).toEqual([calls, 3])
    const [only] = calls
    expect(callOfAll(calls.slice(0, 1), form)).toBe(only)
    expect([partsOf(only as never), countOf(only as never)]).toEqual([[only], 1])
    expect(() => callOfAll([], form)).toThrow('a transaction makes a call')
    const most = callOfAll(
      Array.from({ length: 128 }, (_, payer) => settlement(payer)),
      form,
    )
    expect(countOf(most)).toBe(128)
    // EIP-3860.
    expect(most.data.length / 2).toBeLessThan(49_152)
  })

  test('is one only as it is sent: not for an estimate, cut off, with more behind it, or of no payment', () => {
    const { to, data } = callOfAll(calls, form)
    const own = (changed: Hex) => (to === null ? [] : [{ to, data: changed }])
    const end = form === 'deployed' ? data.length : data.length - 4
    const changes: readonly Hex[] = [
      batchOf(calls, form, 'all or nothing').data,
      `${data.slice(0, end - 2)}${data.slice(end)}` as Hex,
      `${data.slice(0, end)}00${data.slice(end)}` as Hex,
      `${data.slice(0, end - 3 * 268)}${data.slice(end)}` as Hex,
    ]
    for (const changed of changes) expect(partsOf({ to, data: changed })).toEqual(own(changed))
  })

  test('takes calls of one token and one payee, with signatures in three parts and numbers that fit', () => {
    const [first] = calls as [ContractCall]
    const words = (at: number, digits: string) =>
      ({
        ...first,
        data: `${first.data.slice(0, 10 + 64 * at)}${digits}${first.data.slice(10 + 64 * (at + 1))}`,
      }) as ContractCall
    const others = [
      { ...first, to: payerOf(7) },
      words(1, payerOf(7).slice(2).padStart(64, '0')),
      words(2, `${'1'.padStart(48, '0')}${'0'.repeat(16)}`),
      words(3, `1${'0'.repeat(63)}`),
      words(4, 'f'.repeat(64)),
      words(6, '1d'.padStart(64, '0')),
      words(8, 'f'.repeat(64)),
      { ...first, data: `${first.data}00` as Hex },
      { ...first, data: `0xcf092995${first.data.slice(10)}` as Hex },
      other,
    ]
    const items = [...calls, ...others].map((call) => ({ call }))
    expect(packable(items).map(({ call }) => call)).toEqual(calls)
    expect(packable([{ call: other }])).toEqual([])
    const odd = words(6, '1c'.padStart(64, '0'))
    expect(partsOf(batchOf([odd, first], form, 'settle'))).toEqual([odd, first])
  })
})

test('code of another program is no batch', () => {
  expect(partsOf({ to: null, data: '0x6080' })).toEqual([])
})

test('a call names the authorization that it uses, in lower case, and what it is worth', () => {
  const { data } = settlement(0xab)
  expect(authorizationOf(data)).toMatchObject({ ...name(0xab), value: AMOUNT })
  expect(authorizationOf(other.data)).toBeUndefined()
  expect(authorizationOf('0x')).toBeUndefined()
})

type Transfer = ReturnType<typeof logsOf>[number]

describe('the logs of a transaction', () => {
  const [foreign] = logsOf(9, 0)
  const logs = [
    { ...foreign, address: AGGREGATOR, logIndex: 3 },
    ...logsOf(1, 4),
    ...logsOf(2, 6),
    ...logsOf(4, 8),
  ]
  const receipt = { logs } as unknown as Parameters<typeof pairOf>[0]

  test('are two for each authorization that was used', () => {
    expect(pairOf(receipt, CALLED_TOKEN, name(2))?.map(({ logIndex }) => logIndex)).toEqual([6, 7])
    expect(pairOf(receipt, CALLED_TOKEN, name(3))).toBeUndefined()
    expect(pairOf(receipt, AGGREGATOR, name(2))).toBeUndefined()
  })

  test('say what each payer brought in, and leave out calls that are no settlement', () => {
    const elsewhere = { ...settlement(1), to: AGGREGATOR }
    expect(sharesOf([settlement(1), other, elsewhere, settlement(3)], receipt, CALLED_TOKEN)).toEqual([
      { payer: payerOf(1), amount: AMOUNT },
      { payer: payerOf(3), amount: 0n },
    ])
  })

  test.each<[string, (transfer: Transfer) => object]>([
    ['it has another place', (transfer) => ({ ...transfer, logIndex: transfer.logIndex + 1 })],
    ['it is of another amount', (transfer) => ({ ...transfer, data: pad('0x1') })],
    ['it is of another payer', () => ({ ...logsOf(2, 0)[1] })],
    ['it is of another contract', (transfer) => ({ ...transfer, address: AGGREGATOR })],
  ])('bring in nothing without the transfer: %s', (_what, change) => {
    const [used, transfer] = logsOf(1, 0) as [Transfer, Transfer]
    const lying = { logs: [used, change(transfer)] } as unknown as typeof receipt
    expect(sharesOf([settlement(1)], lying, CALLED_TOKEN)).toEqual([{ payer: payerOf(1), amount: 0n }])
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
    for (const batch of FORMS.map((form) => callOfAll(calls, form))) {
      const raw = await sign({ nonce: 1, ...batch })
      const upper = ({ to, data }: { to: Hex; data: Hex }) =>
        ({ to: `0x${to.slice(2).toUpperCase()}`, data: `0x${data.slice(2).toUpperCase()}` }) as const
      for (const call of calls) expect([carries(raw, call), carries(raw, upper(call))]).toEqual([true, true])
      expect(carries(raw, settlement(4))).toBe(false)
      expect(carries(raw, { ...settlement(1), to: payerOf(5) })).toBe(false)
      expect(carries(raw, { to: CALLED_TOKEN, data: '0x' })).toBe(false)
    }
  })

  test('carries no call that only stands in the signature of another', async () => {
    const hidden = concatHex([
      CALLED_TOKEN,
      ...Array.from({ length: 20 }, (_, payer) => settlement(payer + 1).data),
    ])
    const args = [payerOf(7), payerOf(99), AMOUNT, 0n, 9n, nonceOf(7), hidden]
    const data = encodeFunctionData({
      abi: eip3009ABI,
      functionName: 'transferWithAuthorization',
      args: args as never,
    })
    const raw = await sign({ nonce: 1, data })
    expect(Array.from({ length: 20 }, (_, payer) => carries(raw, settlement(payer + 1)))).toEqual(
      Array(20).fill(false),
    )
    expect(carries(raw, { to: CALLED_TOKEN, data })).toBe(true)
  })
})
