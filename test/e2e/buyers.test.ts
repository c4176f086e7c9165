import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { decodePaymentResponseHeader } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/checks/checks.ts'
import { CHECK_TYPES, type CheckType } from '../../src/checks/verdict.ts'
import { freshAccount, signPayment, termsFor } from '../support/chain-payments.ts'
import { validValue } from '../support/identifiers.ts'
import { encodeHeader } from '../support/payment-header.ts'
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

test('32 buyers at once: each is answered and charged once', async () => {
  const buyers = Array.from({ length: 32 }, freshAccount)
  for (const { address } of buyers) await service.sandbox.fund(address, 2n * PRICE)
  const before = await service.books()
  const answers = await Promise.all(
    buyers.map(async (account, index) => {
      const type = CHECK_TYPES[index % CHECK_TYPES.length] as CheckType
      const value = validValue(type, index)
      const response = await stockClient(account)(`${service.url}/api/validate/${type}`, requestFor(value))
      return { status: response.status, right: (await response.text()) === verdictOf(type, value) }
    }),
  )
  expect(answers).toEqual(buyers.map(() => ({ status: 200, right: true })))
  const balances = await Promise.all(buyers.map(({ address }) => service.balance(address)))
  expect(balances).toEqual(buyers.map(() => PRICE))
  const after = await service.books()
  expect([after.rows, after.payee]).toEqual([before.rows + 32, before.payee + 32n * PRICE])
})

test('32 payments at once, half of them without the money: the others are all answered', async () => {
  const buyers = Array.from({ length: 32 }, freshAccount)
  const rich = (index: number) => index % 2 === 0
  for (const [index, { address }] of buyers.entries()) {
    await service.sandbox.fund(address, rich(index) ? PRICE : PRICE - 1n)
  }
  const before = await service.books()
  const statuses = await Promise.all(
    buyers.map(async (account) => {
      const headers = { 'PAYMENT-SIGNATURE': await service.pay({}, account) }
      return (await service.check('pl-nip', '5260250274', headers)).status
    }),
  )
  expect(statuses).toEqual(buyers.map((_, index) => (rich(index) ? 200 : 402)))
  expect((await service.books()).payee).toBe(before.payee + 16n * PRICE)
})

test('20 copies of one request at once: one settlement, and the same answer to all', async () => {
  const before = await service.books()
  const headers = { 'PAYMENT-SIGNATURE': await service.pay() }
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const response = await service.check('eu-vat', 'PL5260250274', headers)
      const receipt = response.headers.get('payment-response')
      return {
        status: response.status,
        receipt,
        body: await response.text(),
        first: response.headers.get('payment-replayed') === null,
      }
    }),
  )
  const [{ receipt } = { receipt: null }] = answers
  expect(decodePaymentResponseHeader(receipt ?? '').success).toBe(true)
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 200, receipt, body: verdictOf('eu-vat', 'PL5260250274') })
  }
  expect(answers.filter(({ first }) => first)).toHaveLength(1)
  expect(await service.books()).toEqual({
    rows: before.rows + 1,
    buyer: before.buyer - PRICE,
    payee: before.payee + PRICE,
  })
})

describe('a client that leaves in the middle of a sale', () => {
  const value = 'jan.kowalski@example.pl'

  /** Pays over a connection that is cut once the settlement is under way and cannot end yet. */
  async function payAndLeave(account: PrivateKeyAccount): Promise<string> {
    const chain = Number(readFileSync(join(service.dataDir, 'chain-running'), 'utf8'))
    const { payload, transfer } = await signPayment(account, termsFor(service.sandbox.payTo))
    const header = encodeHeader(payload)
    const body = JSON.stringify({ value })
    process.kill(chain, 'SIGSTOP')
    try {
      const socket = connect(service.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(
        `POST /api/validate/email HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
          `PAYMENT-SIGNATURE: ${header}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
      const state = () => service.rows().find(({ nonce }) => nonce === transfer.nonce)?.state
      await expect.poll(state).toBe('settling')
      socket.destroy()
      await expect.poll(() => service.logged.at(-1)).toContain('"aborted":true')
    } finally {
      process.kill(chain, 'SIGCONT')
    }
    return header
  }

  test('gets the answer when the request is repeated, and is charged once', async () => {
    const account = await service.newBuyer()
    const header = await payAndLeave(account)
    for (let round = 0; round < 2; round++) {
      const response = await service.check('email', value, { 'PAYMENT-SIGNATURE': header })
      expect([response.status, await response.text()]).toEqual([200, verdictOf('email', value)])
      expect(response.headers.get('payment-replayed')).toBe('true')
    }
    expect(await service.balance(account.address)).toBe(1_000_000n - PRICE)
  })

  test('gets it also from a client that signs again, and is charged once', async () => {
    const account = await service.newBuyer()
    await payAndLeave(account)
    await expect.poll(() => service.balance(account.address)).toBe(1_000_000n - PRICE)
    const payer = account.address.toLowerCase()
    const state = () => service.rows().find((row) => row.payer === payer)?.state
    await expect.poll(state).toBe('settled')
    const response = await stockClient(account)(`${service.url}/api/validate/email`, requestFor(value))
    expect([response.status, await response.text()]).toEqual([200, verdictOf('email', value)])
    expect(response.headers.get('payment-replayed')).toBe('true')
    expect(await service.balance(account.address)).toBe(1_000_000n - PRICE)
  })
})
