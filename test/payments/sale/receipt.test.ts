import { createHash } from 'node:crypto'
import { getAddress } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Sale, Sold } from '../../../src/payments/ports/sale.ts'
import type { ReceiptPayload } from '../../../src/receipts/signed-receipt.ts'
import { readReceipt } from '../../../src/receipts/verify-receipt.ts'
import { GOOD_IBAN, type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

const REQUEST = JSON.stringify({ type: 'iban', value: GOOD_IBAN })
const sha256 = (...parts: (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
const soldOf = (sale: Sale): Sold => {
  if (sale.kind !== 'sold') throw new Error(sale.kind)
  return sale
}
function partsOf({ settlement }: Sold): { payload: ReceiptPayload; salt: Buffer } {
  const { payload, salt = '' } = readReceipt(settlement)
  return { payload, salt: Buffer.from(salt, 'hex') }
}

test('a receipt holds amount, payee and salted hashes of request and result, and never the salt', async () => {
  const { rawPayment } = await (await bench.buyer()).sign()
  const sold = soldOf(await bench.sell(rawPayment))
  const { payload, salt } = partsOf(sold)
  expect(salt).toHaveLength(16)
  expect(payload).toMatchObject({
    amount: '1000',
    payTo: getAddress(bench.payTo),
    requestHash: sha256(salt, sha256(REQUEST)).toString('hex'),
    resultHash: sha256(salt, sha256(JSON.stringify(sold.verdicts[0]))).toString('hex'),
  })
  expect(JSON.stringify(payload)).not.toContain(salt.toString('hex'))
  expect(JSON.stringify(sold.settlement)).not.toContain(GOOD_IBAN)
})

test('a repetition has the same bytes: after a restart, on another surface and as a task', async () => {
  const { rawPayment } = await (await bench.buyer()).sign()
  const first = JSON.stringify(soldOf(await bench.sell(rawPayment)).settlement)
  await bench.restart()
  expect(JSON.stringify(soldOf(await bench.sell(rawPayment)).settlement)).toBe(first)
  const task = soldOf(await bench.layer.sell(bench.taskCall(), rawPayment))
  expect(JSON.stringify(task.settlement)).toBe(first)
  const shown = await bench.layer.tasks.read(task.taskId as string)
  expect(JSON.stringify(shown)).toContain(first)
})

test('a sale in two messages has the request hash of the same request in one', async () => {
  const held = await bench.layer.holdVerdict(bench.taskCall())
  if (held.kind !== 'withheld') throw new Error(held.kind)
  const { rawPayment } = await (await bench.buyer()).sign()
  const { taskId } = held
  const { payload, salt } = partsOf(
    soldOf(await bench.layer.sell({ kind: 'sealed', surface: 'a2a', client: 'c', taskId }, rawPayment)),
  )
  expect(payload.requestHash).toBe(sha256(salt, sha256(REQUEST)).toString('hex'))
})

test('two sales of one value have no hash in common', async () => {
  const [one, other] = await Promise.all(
    [0, 1].map(async () =>
      partsOf(soldOf(await bench.sell((await (await bench.buyer()).sign()).rawPayment))),
    ),
  )
  expect(one?.salt).not.toEqual(other?.salt)
  expect(one?.payload.requestHash).not.toBe(other?.payload.requestHash)
  expect(one?.payload.resultHash).not.toBe(other?.payload.resultHash)
})

test('the store does not hold the salt', async () => {
  const { rawPayment } = await (await bench.buyer()).sign()
  const { salt } = partsOf(soldOf(await bench.sell(rawPayment)))
  expect(bench.storedBytes().includes(salt)).toBe(false)
})
