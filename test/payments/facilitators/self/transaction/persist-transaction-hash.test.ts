import type { FacilitatorClient } from '@x402/core/server'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../../../src/payments/chain/chain-reader.ts'
import { FacilitatorFault } from '../../../../../src/payments/facilitators/facilitator-fault.ts'
import { createGasGauge } from '../../../../../src/payments/facilitators/self/gas/gas-level.ts'
import { createSelfFacilitator } from '../../../../../src/payments/facilitators/self/self-facilitator.ts'
import { persistTransactionHash } from '../../../../../src/payments/facilitators/self/transaction/persist-transaction-hash.ts'
import { gasStatusOf } from '../../../../../src/payments/ports/own-settlement.ts'
import { TOKEN } from '../../../../../src/sandbox/addresses.ts'
import type { ChainBackend } from '../../../../../src/sandbox/chain/anvil-backend.ts'
import { callRpc } from '../../../../../src/sandbox/chain/json-rpc.ts'
import { giveEther } from '../../../../../src/sandbox/chain/provision.ts'
import { startAnvil } from '../../../../support/chain-backends.ts'
import {
  freshAccount,
  type SignedPayment,
  signPayment,
  termsFor,
} from '../../../../support/chain-payments.ts'
import { type RpcProxy, startRpcProxy } from '../../../../support/rpc-proxy.ts'
import { openTempLedger, rowFor, rowIn, type TempLedger } from '../../../../support/temp-ledger.ts'

const payer = freshAccount()
const payTo = freshAccount().address
const privateKey = generatePrivateKey()
const account = privateKeyToAccount(privateKey).address

let store: TempLedger
let chain: ChainBackend
let proxy: RpcProxy
let facilitator: FacilitatorClient

beforeAll(async () => {
  store = await openTempLedger()
  chain = await startAnvil()
  await chain.fund(payer.address, 1_000_000n)
  proxy = await startRpcProxy(chain.rpcUrl ?? '')
  facilitator = createSelfFacilitator({
    rpcUrls: [proxy.url],
    account: privateKeyToAccount(privateKey),
    chainId: 8453,
    finalityDepth: 0n,
    token: TOKEN,
    // No transaction is replaced, and none given up, because the machine is slow.
    timing: { lookMs: 20, confirmMs: 3_600_000, replaceMs: 3_600_000 },
    onSigned: persistTransactionHash({ ledger: store.ledger, network: 'eip155:8453', token: TOKEN }),
  })
})
afterAll(async () => {
  await proxy.stop()
  await chain.stop()
  await store.close()
})

const sign = () => signPayment(payer, termsFor(payTo))
const settle = ({ payload, requirements }: SignedPayment) => facilitator.settle(payload, requirements)
const broadcasts = () => proxy.seen.filter(({ method }) => method === 'eth_sendRawTransaction').length

describe('the account that pays for settlements', () => {
  test('is empty, then low, then well, by what one settlement costs at the moment', async () => {
    const gauge = createGasGauge({ rpcUrls: [chain.rpcUrl ?? ''], account })
    expect(gasStatusOf(await gauge())).toBe('empty')
    await callRpc(chain.rpcUrl ?? '', 'anvil_setBalance', [account, `0x${(10n ** 15n).toString(16)}`])
    expect(gasStatusOf(await gauge())).toBe('low')
    await giveEther(chain.rpcUrl ?? '', account)
    expect(gasStatusOf(await gauge())).toBe('ok')
  })

  test('is judged although the node drops one question', async () => {
    let asked = 0
    proxy.treat(() => (++asked === 1 ? 'drop' : 'pass'))
    const { settlementsLeft } = await createGasGauge({ rpcUrls: [proxy.url], account })()
    proxy.treat(() => 'pass')
    expect(settlementsLeft).toBeGreaterThan(0)
  })

  test('is not judged while the node is silent', async () => {
    proxy.treat(() => 'drop')
    await expect(createGasGauge({ rpcUrls: [proxy.url], account })()).rejects.toThrow(ChainUnavailable)
    proxy.treat(() => 'pass')
  })
})

describe('a transaction that is about to be sent', () => {
  test('is on the row of its payment before any node sees it', async () => {
    const payment = await sign()
    const row = await rowIn(store.ledger, rowFor(payment), { state: 'settling', owner: 'me', leaseUntil: 9 })
    let recorded: Promise<unknown> | undefined
    proxy.treat(({ method }) => {
      if (method === 'eth_sendRawTransaction') recorded = store.ledger.find(row)
      return 'pass'
    })
    const { transaction } = await settle(payment)
    expect(await recorded).toMatchObject({ state: 'settling', owner: 'me', transaction })
    proxy.treat(() => 'pass')
  })

  test.each([
    ['has no row', null],
    ['was refused', 'refused'],
    ['is void', 'void'],
    ['is settled', 'settled'],
  ] as const)('is not sent when its payment %s', async (_what, state) => {
    const payment = await sign()
    if (state !== null) await rowIn(store.ledger, rowFor(payment), { state })
    const before = broadcasts()
    await expect(settle(payment)).rejects.toThrow(FacilitatorFault)
    expect(broadcasts()).toBe(before)
    expect(await chain.chainReader.authorizationUsed(payment.transfer.from, payment.transfer.nonce)).toBe(
      false,
    )
  })

  test('leaves the way free for the next one, whatever became of it', async () => {
    const payment = await sign()
    await rowIn(store.ledger, rowFor(payment), { state: 'in_doubt' })
    expect(await settle(payment)).toMatchObject({ success: true })
  })
})
