import { decodePaymentResponseHeader } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { CHECK_TYPES, type CheckType } from 'format-checker-checks/verdict'
import type { Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { validValue } from '../support/identifiers.ts'
import { startTestService, type TestService } from '../support/sandbox-service.ts'
import type { SandboxFacts } from '../support/service-process.ts'
import { lookAtChain } from '../support/usdc-chain.ts'

const PRICE = 1000n

let service: TestService
beforeAll(async () => {
  service = await startTestService({ CHANNELS: 'on' })
})
afterAll(() => service.stop())

const sandboxFacts = async () => (await (await fetch(`${service.url}/sandbox.json`)).json()) as SandboxFacts
const verdictOf = (type: CheckType, value: string) => JSON.stringify(CHECKS[type](value))

/** The reference client, and nothing of ours. */
const stockClient = (account: PrivateKeyAccount) =>
  wrapFetchWithPayment(fetch, new x402Client().register('eip155:*', new ExactEvmScheme(account)))

const requestFor = (value: string): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ value }),
})

describe('a plain client with the key that the sandbox gives away', () => {
  const calls = CHECK_TYPES.flatMap((type): [CheckType, string, string][] => [
    [type, 'valid', validValue(type, 7)],
    [type, 'invalid', `${validValue(type, 7)}(`],
  ])

  test.each(calls)('pays for %s, %s, its price and no more', async (type, kind, value) => {
    const { buyer, payTo, rpcUrl } = await sandboxFacts()
    const before = await service.books()
    const pay = stockClient(privateKeyToAccount(buyer.privateKey))
    const response = await pay(`${service.url}/api/validate/${type}`, requestFor(value))
    expect(response.status).toBe(200)
    const text = await response.text()
    expect(text).toBe(verdictOf(type, value))
    expect((JSON.parse(text) as { valid: boolean }).valid).toBe(kind === 'valid')

    const receipt = decodePaymentResponseHeader(response.headers.get('PAYMENT-RESPONSE') ?? '')
    expect(receipt).toMatchObject({ success: true, network: 'eip155:8453', payer: buyer.address })
    expect(await lookAtChain(rpcUrl ?? '').transfers(receipt.transaction as Hex)).toEqual([
      { from: buyer.address, to: payTo, value: PRICE },
    ])
    expect(await service.books()).toEqual({
      rows: before.rows + 1,
      buyer: before.buyer - PRICE,
      payee: before.payee + PRICE,
    })
  })
})
