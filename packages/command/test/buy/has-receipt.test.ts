import { afterAll, beforeAll, expect, test } from 'vitest'
import { BASE } from '../../../../src/payments/networks/base.ts'
import { startTestService, type TestService } from '../../../../test/support/sandbox-service.ts'
import { hasReceipt } from '../../src/buy/has-receipt.ts'
import { createBuyer } from '../../src/buyer/buyer.ts'
import { createWallet } from '../../src/buyer/wallet.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

test('only a receipt over the amount that the key of the service signed counts', async () => {
  const { url, sandbox } = service
  const buyer = createBuyer({ url, type: 'iban', maxAmount: 1_000n })
  const wallet = createWallet(sandbox.buyer.privateKey)
  const sale = await buyer.buy('DE89370400440532013000', wallet)
  if (sale.kind !== 'bought') throw new Error(sale.kind)
  expect(await hasReceipt(sale, url)).toBe(true)
  expect(await hasReceipt({ ...sale, amount: '2' }, url)).toBe(false)
  const { extensions: _, ...unsigned } = sale.settlement
  expect(await hasReceipt({ ...sale, settlement: unsigned }, url)).toBe(false)
  const zero = { success: true, transaction: `0x${'0'.repeat(64)}`, network: BASE.id }
  expect(await hasReceipt({ ...sale, settlement: zero }, url)).toBe(false)
  const moved = { ...sale.settlement, transaction: zero.transaction }
  expect(await hasReceipt({ ...sale, settlement: moved }, url)).toBe(false)
  // Nor one that another service signed.
  const other = await startTestService()
  expect(await hasReceipt(sale, other.url)).toBe(false)
  await other.stop()
})
