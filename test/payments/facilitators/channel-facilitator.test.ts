import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  createMemoryJournal,
  type PendingTransaction,
} from '../../../src/payments/facilitators/self/queue/settlement-journal.ts'
import {
  createSelfFacilitator,
  type SelfFacilitatorOptions,
} from '../../../src/payments/facilitators/self/self-facilitator.ts'
import { BASE_CHAIN_ID, TOKEN } from '../../../src/sandbox/addresses.ts'
import { callRpc } from '../../../src/sandbox/chain/json-rpc.ts'
import { giveEther } from '../../../src/sandbox/chain/provision.ts'
import { freshAccount } from '../../support/chain-payments.ts'
import {
  type ChannelChain,
  type Claim,
  claimOf,
  depositArgs,
  signBatch,
  startChannelChain,
} from '../../support/channel-chain.ts'
import { eventually } from '../../support/eventually.ts'
import { startRpcProxy } from '../../support/rpc-proxy.ts'

let chain: ChannelChain
beforeAll(async () => {
  chain = await startChannelChain()
})
afterAll(() => chain.stop())

const payer = freshAccount()
const authorizer = freshAccount()
const receiver = freshAccount().address
const config = {
  payer: payer.address,
  payerAuthorizer: payer.address,
  receiver,
  receiverAuthorizer: authorizer.address,
  token: TOKEN,
  withdrawDelay: 86_400,
  salt: `0x${'01'.repeat(32)}`,
} as const
const requirements: PaymentRequirements = {
  scheme: 'batch-settlement',
  network: `eip155:${BASE_CHAIN_ID}`,
  asset: TOKEN,
  amount: '0',
  payTo: receiver,
  maxTimeoutSeconds: 0,
  extra: {},
}
const act = (payload: Record<string, unknown>): PaymentPayload => ({
  x402Version: 2,
  accepted: requirements,
  payload,
})

const NEVER_MS = 3_600_000

const start = async (
  options: Partial<SelfFacilitatorOptions>,
  privateKey = generatePrivateKey(),
  timing: SelfFacilitatorOptions['timing'] = {},
) => {
  await giveEther(chain.rpcUrl, privateKeyToAccount(privateKey).address)
  return createSelfFacilitator({
    rpcUrls: [chain.rpcUrl],
    ...options,
    account: privateKeyToAccount(privateKey),
    chainId: BASE_CHAIN_ID,
    finalityDepth: 0n,
    token: TOKEN,
    channels: true,
    timing: { lookMs: 20, ...timing },
  })
}

const claimAct = async (claims: readonly Claim[]): Promise<PaymentPayload> =>
  act({
    type: 'claim',
    claims: claims.map(({ voucher, signature, totalClaimed }) => ({
      voucher: { channel: voucher.channel, maxClaimableAmount: voucher.maxClaimableAmount.toString() },
      signature,
      totalClaimed: totalClaimed.toString(),
    })),
    claimAuthorizerSignature: await signBatch(authorizer, claims),
  })

test('a claim of several channels costs more than one settlement may, and does not pause sales', async () => {
  await chain.fund(payer.address, 10_000_000n)
  const configs = Array.from({ length: 4 }, (_, index) => ({
    ...config,
    salt: `0x${`1${index}`.repeat(32)}` as const,
  }))
  for (const each of configs) await chain.send(receiver, 'deposit', await depositArgs(payer, each, 250_000n))
  const claims = await Promise.all(configs.map((each) => claimOf(payer, each, 1_000n)))
  const { baseFeePerGas } = await chain.client.getBlock()
  // Enough for one settlement at twice the present price, not for four claims.
  const maxCost = 103_200n * ((baseFeePerGas ?? 0n) * 2n + 2_000_000_000n)
  const facilitator = await start({ maxCost })
  try {
    const outcome = await facilitator.settle(await claimAct(claims), requirements)
    expect(outcome).toMatchObject({ success: true })
    expect(facilitator.settlementState().isTooExpensive).toBe(false)
    for (const each of configs) expect(await chain.channel(each)).toMatchObject({ totalClaimed: 1_000n })
  } finally {
    facilitator.close()
  }
})

test('a claim that is given up while it is waited for is no success, and the next one is mined', async () => {
  await chain.fund(payer.address, 10_000_000n)
  await chain.send(receiver, 'deposit', await depositArgs(payer, config, 250_000n))
  const claim = await claimAct([await claimOf(payer, config, 1_000n)])
  const again = () => ({ ...claim, payload: { ...claim.payload } })
  const journal = createMemoryJournal()
  const key = generatePrivateKey()
  const node = await startRpcProxy(chain.rpcUrl)
  node.treat(({ method }) => (method === 'eth_sendRawTransaction' ? 'drop' : 'pass'))
  const first = await start({ journal, rpcUrls: [node.url] }, key, { confirmMs: 100 })
  expect(await first.settle(claim, requirements)).toMatchObject({ success: false })
  first.close()
  // The service was down until the end of the time in which the transaction is offered.
  const [pending] = await journal.load()
  await journal.save([{ ...(pending as PendingTransaction), expiresAt: 1 }])
  const facilitator = await start({ journal }, key, { replaceMs: 1, confirmMs: NEVER_MS, settleMs: NEVER_MS })
  try {
    expect(await facilitator.settle(again(), requirements)).toMatchObject({ success: false })
    expect(await chain.channel(config)).toMatchObject({ totalClaimed: 0n })
    expect(await facilitator.settle(again(), requirements)).toMatchObject({ success: true })
    expect(await chain.channel(config)).toMatchObject({ totalClaimed: 1_000n })
  } finally {
    facilitator.close()
    await node.stop()
  }
})

test('a claim that is late and was sent by a clock ten minutes behind is offered again', async () => {
  const own = { ...config, salt: `0x${'03'.repeat(32)}` } as const
  await chain.fund(payer.address, 10_000_000n)
  await chain.send(receiver, 'deposit', await depositArgs(payer, own, 250_000n))
  const claim = await claimAct([await claimOf(payer, own, 1_000n)])
  const journal = createMemoryJournal()
  const key = generatePrivateKey()
  const node = await startRpcProxy(chain.rpcUrl)
  node.treat(({ method }) => (method === 'eth_sendRawTransaction' ? 'drop' : 'pass'))
  const now = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => now() - 600_000)
  const first = await start({ journal, rpcUrls: [node.url] }, key, { confirmMs: 100 })
  expect(await first.settle(claim, requirements)).toMatchObject({ success: false })
  first.close()
  const facilitator = await start({ journal }, key, { replaceMs: 1 })
  try {
    await eventually(async () => {
      await facilitator.maintain()
      return (await journal.load()).length
    }).toBe(0)
    expect(await chain.channel(own)).toMatchObject({ totalClaimed: 1_000n })
  } finally {
    vi.restoreAllMocks()
    facilitator.close()
    await node.stop()
  }
})

test('deposits of wallet contracts are refused where the operator says so', async () => {
  const wallet = freshAccount().address
  await callRpc(chain.rpcUrl, 'anvil_setCode', [wallet, '0x00'])
  const facilitator = await start({ contractWallets: 'refuse' })
  try {
    const deposit = { type: 'deposit', channelConfig: { ...config, payer: wallet }, voucher: {}, deposit: {} }
    expect(await facilitator.settle(act(deposit), requirements)).toMatchObject({
      success: false,
      transaction: '',
      errorReason: 'invalid_batch_settlement_evm_receive_authorization_signature',
    })
  } finally {
    facilitator.close()
  }
})
