import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ReceiptFacts, Sale } from '../../../src/payments/sale.ts'
import { GOOD_IBAN, type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

const sha256 = (...parts: (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
const factsOf = (sale: Sale): ReceiptFacts => {
  if (sale.kind !== 'sold' || sale.receipt === undefined) throw new Error(sale.kind)
  return sale.receipt
}

test('a sale says what a receipt needs, equal on every repetition and surface', async () => {
  const { proof } = await (await bench.buyer()).sign()
  const sale = await bench.sell(proof)
  const facts = factsOf(sale)
  const request = sha256(JSON.stringify({ type: 'iban', value: GOOD_IBAN }))
  expect(facts.amount).toBe('1000')
  expect(facts.requestHash).toBe(sha256(Buffer.from(facts.requestSalt, 'hex'), request).toString('hex'))
  if (sale.kind === 'sold')
    expect(facts.resultHash).toBe(sha256(JSON.stringify(sale.verdicts[0])).toString('hex'))
  await bench.restart()
  expect(factsOf(await bench.sell(proof))).toEqual(facts)
  expect(factsOf(await bench.layer.sell(bench.taskCall(), proof))).toEqual(facts)
})

test('two sales of one value have nothing in common but the result', async () => {
  const sales = await Promise.all(
    [0, 1].map(async () => bench.sell((await (await bench.buyer()).sign()).proof)),
  )
  const [one, other] = sales.map(factsOf)
  expect(one?.requestHash).not.toBe(other?.requestHash)
  expect(one?.requestSalt).not.toBe(other?.requestSalt)
  expect(one?.resultHash).toBe(other?.resultHash)
})
