import { createPublicKey, type webcrypto } from 'node:crypto'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { createWalletClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readReceipt, verifyReceipt } from '../../../src/receipts/verify-receipt.ts'
import { CHANNEL_SETTLEMENT } from '../../../src/sandbox/addresses.ts'
import { giveEther } from '../../../src/sandbox/chain/provision.ts'
import { SETTLEMENT_ABI } from '../../support/channel-chain.ts'
import { channelClient } from '../../support/channel-client.ts'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'

function isSignedBy(jwk: webcrypto.JsonWebKey, file: unknown): boolean {
  try {
    verifyReceipt(readReceipt(file), createPublicKey({ key: jwk, format: 'jwk' }))
    return true
  } catch {
    return false
  }
}

const IBAN = 'GB82 WEST 1234 5698 7654 32'

describe('the stock client on a channel', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService({ CHANNELS: 'on' })
  })
  afterAll(() => service.stop())

  test('opens with a deposit, pays calls with vouchers, and closes with a refund', async () => {
    const account = await service.newBuyer(1_000_000n)
    const { check, refund } = channelClient({ account, rpcUrl: service.sandbox.rpcUrl ?? '' })
    for (let call = 1; call <= 20; call += 1) {
      const answer = await check(service.url, `${IBAN}`)
      expect([call, answer.status, await answer.clone().text()]).toEqual([
        call,
        200,
        expect.stringContaining('valid'),
      ])
    }
    expect(await service.balance(account.address)).toBe(750_000n)
    const last = await check(service.url, IBAN)
    const receipt = decodePaymentResponseHeader(last.headers.get('PAYMENT-RESPONSE') ?? '')
    const { keys } = (await (await fetch(`${service.url}/.well-known/jwks.json`)).json()) as {
      keys: webcrypto.JsonWebKey[]
    }
    const file = { receipt, result: await last.clone().json() }
    expect(keys.some((jwk) => isSignedBy(jwk, file))).toBe(true)
    const settled = await refund(service.url)
    expect(settled.success).toBe(true)
    expect(await service.balance(account.address)).toBe(979_000n)
  })

  test('a payer who begins to leave is claimed from at once, and gets the rest back', async () => {
    const { rpcUrl, payTo } = service.sandbox
    const account = await service.newBuyer(1_000_000n)
    const { check, refund, scheme } = channelClient({ account, rpcUrl: rpcUrl ?? '' })
    for (let call = 0; call < 3; call += 1) expect((await check(service.url, IBAN)).status).toBe(200)
    const { headers } = await fetch(`${service.url}/api/channel`)
    const [terms] = decodePaymentRequiredHeader(headers.get('PAYMENT-REQUIRED') ?? '').accepts
    if (terms === undefined) throw new Error('no terms')
    const args = [scheme.buildChannelConfig(terms), 1n]
    const wallet = createWalletClient({ account, transport: http(rpcUrl ?? '') })
    await giveEther(rpcUrl ?? '', account.address)
    const contract = { address: CHANNEL_SETTLEMENT, abi: SETTLEMENT_ABI } as const
    await wallet.writeContract({ ...contract, functionName: 'initiateWithdraw', args, chain: null })
    // With what the refund of the first buyer's channel had claimed.
    await expect.poll(() => service.balance(payTo)).toBe(24_000n)
    expect((await check(service.url, IBAN)).status).toBe(402)
    expect((await refund(service.url)).success).toBe(true)
    expect(await service.balance(account.address)).toBe(997_000n)
  })
})
