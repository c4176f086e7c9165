import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSelfFacilitator } from '../../../src/payments/facilitators/self-facilitator.ts'
import { BASE_CHAIN_ID, TOKEN } from '../../../src/sandbox/addresses.ts'
import { callRpc } from '../../../src/sandbox/chain/json-rpc.ts'
import { giveEther } from '../../../src/sandbox/chain/provision.ts'
import { freshAccount } from '../../support/chain-payments.ts'
import {
  type ChannelChain,
  claimOf,
  depositArgs,
  signBatch,
  startChannelChain,
} from '../../support/channel-chain.ts'

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

const start = async (options: { maxCost?: bigint; contractWallets?: 'accept' | 'refuse' }) => {
  const privateKey = generatePrivateKey()
  await giveEther(chain.rpcUrl, privateKeyToAccount(privateKey).address)
  return createSelfFacilitator({
    ...options,
    rpcUrls: [chain.rpcUrl],
    privateKey,
    chainId: BASE_CHAIN_ID,
    token: TOKEN,
    channels: true,
    timing: { lookMs: 20 },
  })
}

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
    const outcome = await facilitator.settle(
      act({
        type: 'claim',
        claims: claims.map(({ voucher, signature, totalClaimed }) => ({
          voucher: { channel: voucher.channel, maxClaimableAmount: voucher.maxClaimableAmount.toString() },
          signature,
          totalClaimed: totalClaimed.toString(),
        })),
        claimAuthorizerSignature: await signBatch(authorizer, claims),
      }),
      requirements,
    )
    expect(outcome).toMatchObject({ success: true })
    expect(facilitator.settlementState().isTooExpensive).toBe(false)
    for (const each of configs) expect(await chain.channel(each)).toMatchObject({ totalClaimed: 1_000n })
  } finally {
    facilitator.close()
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
