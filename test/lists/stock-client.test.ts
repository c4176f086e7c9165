/** The stock client buys a list of 100 without knowing about lists: the terms name the price. */
import { x402Client } from '@x402/core/client'
import { toClientEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestService, type TestService } from '../support/sandbox-service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const VALUES = Array.from(
  { length: 100 },
  (_, n) => `DE${n} 3704 0044 0532 0130 00 and more, so that the body is long: ${'x'.repeat(150)}`,
)
const VERDICTS = VALUES.map((value) => CHECKS.iban(value))
const MESSAGE = {
  ...{ messageId: 'm-1', role: 'ROLE_USER' },
  parts: VALUES.map((value) => ({ data: { skill: 'iban', input: { value } } })),
}

it.each([
  ['/api/validate/iban/batch', { values: VALUES }],
  ['/api/validate/batch', { items: VALUES.map((value) => ({ type: 'iban', value })) }],
  ['/a2a', { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: MESSAGE } }],
])('at %s', async (path, body) => {
  const signer = toClientEvmSigner(await service.newBuyer())
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(signer))
  const before = await service.books()
  const response = await wrapFetchWithPayment(fetch, client)(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  expect(response.status).toBe(200)
  for (const verdict of VERDICTS) expect(text).toContain(JSON.stringify(verdict))
  expect((await service.books()).payee - before.payee).toBe(100_000n)
})
