/** The aggregator on a node: what is deployed, who can use it, and what it does when gas runs short. */
import { readFileSync } from 'node:fs'
import { type Hex, numberToHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONTRACTS, compileContract } from '../../../scripts/compile-contracts.ts'
import type { ContractCall, TransactionCall } from '../../../src/payments/chain/contract-call.ts'
import { AGGREGATOR, batchOf, DEPLOYMENT } from '../../../src/payments/chain/settlement-calls.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import type { ChainBackend } from '../../../src/sandbox/chain/anvil-backend.ts'
import { callRpc } from '../../../src/sandbox/chain/json-rpc.ts'
import { giveEther } from '../../../src/sandbox/chain/provision.ts'
import { startAnvil } from '../../support/chain-backends.ts'
import { freshAccount, signPayment, termsFor, transferCall } from '../../support/chain-payments.ts'

test.each([
  'Aggregator',
  'SentAlong',
] as const)('%s compiles to the committed file, byte for byte', (name) => {
  expect(compileContract(name)).toBe(readFileSync(CONTRACTS[name][1], 'utf8'))
})

describe('the aggregator', () => {
  const stranger = privateKeyToAccount(generatePrivateKey())
  const payTo = freshAccount().address
  const payers = Array.from({ length: 4 }, freshAccount)
  let chain: ChainBackend
  let node: string
  beforeAll(async () => {
    chain = await startAnvil()
    node = chain.rpcUrl
    await giveEther(node, stranger.address)
    for (const { address } of payers) await chain.fund(address, 1_000_000n)
  })
  afterAll(() => chain.stop())

  const paid = async (payer: PrivateKeyAccount): Promise<ContractCall> => ({
    to: TOKEN,
    data: transferCall(await signPayment(payer, termsFor(payTo))),
  })
  const callsOfAll = () => Promise.all(payers.map(paid))
  /** Sent by an account that has nothing to do with the service. */
  const send = async (call: TransactionCall, gas = 1_000_000n) => {
    const nonce = Number(await callRpc(node, 'eth_getTransactionCount', [stranger.address, 'latest']))
    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n }
    const raw = await stranger.signTransaction({
      type: 'eip1559',
      chainId: 8453,
      nonce,
      gas,
      ...fees,
      ...call,
    })
    const hash = await callRpc(node, 'eth_sendRawTransaction', [raw])
    await callRpc(node, 'evm_mine')
    const receipt = await callRpc(node, 'eth_getTransactionReceipt', [hash])
    return receipt as {
      readonly status: Hex
      readonly gasUsed: Hex
      readonly contractAddress: Hex | null
      readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[] }[]
    }
  }
  const codeAt = (address: Hex) => callRpc(node, 'eth_getCode', [address, 'latest'])
  const received = () => chain.chainReader.balance(payTo)

  test('is deployed from any account to the address that the service knows, once', async () => {
    const { runtimeBytecode } = JSON.parse(readFileSync(CONTRACTS.Aggregator[1], 'utf8'))
    await callRpc(node, 'anvil_setCode', [AGGREGATOR, '0x'])
    expect((await send(DEPLOYMENT)).status).toBe('0x1')
    expect(await codeAt(AGGREGATOR)).toBe(runtimeBytecode)
    expect((await send(DEPLOYMENT)).status).toBe('0x0')
    expect(await codeAt(AGGREGATOR)).toBe(runtimeBytecode)
  })

  test('works for any sender, since an authorization moves money as its payer signed; sent along, it leaves no code', async () => {
    const before = await received()
    const { logs } = await send(batchOf(await callsOfAll(), 'deployed', 'settle'))
    const along = await send(batchOf(await callsOfAll(), 'sent along', 'settle'))
    expect([logs.length, along.logs.length]).toEqual([8, 8])
    expect(await codeAt(along.contractAddress as Hex)).toBe('0x')
    expect(await received()).toBe(before + 8_000n)
  })

  test.each([
    'deployed',
    'sent along',
  ] as const)('makes what can be made, says what can be, or makes all or nothing (%s)', async (form) => {
    const calls = await callsOfAll()
    const [, poor] = calls as [ContractCall, ContractCall]
    await send(poor)
    const before = await received()
    expect((await send(batchOf(calls, form, 'all or nothing'))).status).toBe('0x0')
    const { to, data } = batchOf(calls, form, 'report')
    const asked = { from: stranger.address, data, ...(to === null ? {} : { to }) }
    expect(await callRpc(node, 'eth_call', [asked, 'latest'])).toBe('0x01000101')
    const { status, logs } = await send(batchOf(calls, form, 'settle'))
    expect([status, logs.length]).toEqual(['0x1', 6])
    expect(await received()).toBe(before + 3_000n)
  })

  test.each([
    'deployed',
    'sent along',
  ] as const)('that runs short of gas pays the first ones, and its log says which is the next (%s)', async (form) => {
    const calls = await callsOfAll()
    const whole = batchOf(calls, form, 'settle')
    const { status, gasUsed, logs, contractAddress } = await send(
      whole,
      form === 'deployed' ? 210_000n : 250_000n,
    )
    expect(status).toBe('0x1')
    const [last, ...pairs] = logs.toReversed()
    expect(last?.address.toLowerCase()).toBe((contractAddress ?? AGGREGATOR).toLowerCase())
    expect(last?.topics).toEqual([numberToHex(pairs.length / 2, { size: 32 })])
    expect(pairs.length / 2).toBeGreaterThan(0)
    expect(pairs.length / 2).toBeLessThan(4)
    expect(Number(gasUsed)).toBeLessThan(210_000)
    expect((await send(batchOf(calls, form, 'all or nothing'), 250_000n)).status).toBe('0x0')
  })
})

test('is deployed by the transaction that the operators read', () => {
  const page = readFileSync(new URL('../../../docs/evidence/aggregator.csv', import.meta.url), 'utf8')
  for (const part of [DEPLOYMENT.to, DEPLOYMENT.data, AGGREGATOR]) expect(page).toContain(part)
})
