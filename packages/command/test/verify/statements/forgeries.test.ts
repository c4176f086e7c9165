import { CHECKS } from 'format-checker-checks/internal/checks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isPaid, type Statement } from '../../../../../src/lists/statement/format.ts'
import { newReceiptKey, readReceiptKey } from '../../../../../src/receipts/receipt-key.ts'
import { createReceiptSigner, receiptIdentity } from '../../../../../src/receipts/receipt-signer.ts'
import { signReceipt } from '../../../../../src/receipts/signed-receipt.ts'
import { readReceipt } from '../../../../../src/receipts/verify-receipt.ts'
import { validValue } from '../../../../../test/support/identifiers.ts'
import { type BoughtList, buyList } from './bought-list.ts'

let bought: BoughtList
beforeAll(async () => {
  bought = await buyList()
})
afterAll(() => bought.stop())

test('of an honest statement the rows are proved, and nothing of the file', async () => {
  const { service } = bought
  const { code, text, json, rows } = await bought.verify(bought.statement)
  expect([code, text.split('\n')[0]]).toEqual([
    0,
    'proved: 11 of 11 values; the statement itself says how many there were, and no one signed that',
  ])
  const payer = service.buyer.address.toLowerCase()
  expect(json).toMatchObject({
    ...{ keys: 'named', proved: { values: 11, named: 11, rows: 12 }, paid: '11000', unproven: '0' },
    ...{ payers: { [payer]: '11000' }, payees: [service.sandbox.payTo], perValue: ['1000'] },
    ...{ file: 'same_hash', input: 'not_compared', onChain: null },
    transactions: [{ values: 6 }, { values: 5 }],
  })
  // The thirteenth and fourteenth cell are empty, and no value.
  expect(rows.map(({ cell }) => cell).toSorted((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 12 }, (_, at) => at + 1),
  )
  for (const { value, valid, code, payer: by } of rows) {
    const { valid: isValid, details } = CHECKS.iban(String(value))
    expect([valid, code, by]).toEqual([isValid, details.code, service.buyer.address])
  }
  for (const { value } of rows) expect(text + JSON.stringify(json)).not.toContain(value)
})

describe('forgery: no cells beside a value of a payment, and a wrong IBAN beside a sold "valid" in the file', () => {
  test('proves what was sold, and not the file', async () => {
    const honest = await bought.verify(bought.statement)
    const [first, ...others] = bought.statement.payments
    const cells = first?.cells.map((each, at) => (at === 1 ? [] : each))
    const emptied = { ...bought.statement, payments: [{ ...first, cells }, ...others] }
    const list = bought.bytes.toString().replace(validValue('iban', 1), validValue('iban', 77))
    const { code, text, json, rows } = await bought.verify(emptied, { list })
    expect([code, json.file]).toEqual([1, 'changed'])
    expect(text).toContain('was changed since. Only the rows in rows.jsonl are evidence')
    expect(rows).toEqual(honest.rows.map((row) => (row.cell === 2 ? { ...row, cell: null } : row)))
    expect(JSON.stringify(rows)).not.toContain(validValue('iban', 77))
  })
})

/** The statement of a service that the author of the file made up, with receipts by a key of its own. */
async function madeUp(): Promise<Statement> {
  const key = readReceiptKey(newReceiptKey())
  const signer = createReceiptSigner(key, 'https://checks.bank.example')
  const payments = await Promise.all(
    bought.statement.payments.map(async (payment) => {
      if (!isPaid(payment)) throw new Error('an answer was lost')
      const { payload, salt = '' } = readReceipt(payment.settlement)
      const resourceUrl = 'https://checks.bank.example/api/validate/iban/batch'
      const forged = { ...payload, resourceUrl, transaction: `0x${'7'.repeat(64)}` }
      return { ...payment, settlement: await signReceipt(signer, forged, Buffer.from(salt, 'hex')) }
    }),
  )
  const { did, jwk } = receiptIdentity(key.publicKey, 'https://checks.bank.example')
  const verificationMethod = [{ id: jwk.kid, type: 'JsonWebKey2020', controller: did, publicKeyJwk: jwk }]
  return { ...bought.statement, keys: { id: did, verificationMethod }, payments }
}

test('forgery: a statement is not judged by the keys that it carries', async () => {
  const forged = await madeUp()
  const own = await bought.verify(forged, { own: true })
  expect(own).toMatchObject({ code: 4, json: { keys: 'own' } })
  expect(own.text).toMatch(/^consistent; the signer was not checked/)
  expect(own.text).not.toMatch(/genuine|proved|signed by/)
  // What no key of the caller proves has no name of a proof.
  expect(Object.keys(own.json)).toEqual(['keys', 'signedBy', 'consistent'])
  expect(own.rows).toEqual([])
  expect(own.json.signedBy).toBeNull()
  const named = await bought.verify(forged)
  expect(named).toMatchObject({
    code: 1,
    json: { genuine: false, fault: expect.stringContaining('another service') },
  })
  expect(await bought.verify(bought.statement, { own: true })).toMatchObject({
    code: 4,
    json: { keys: 'own' },
  })
})

describe('forgery: what nothing proves is not paid', () => {
  test('an added payment without a receipt', async () => {
    const added = { amount: '999999000000', payTo: null, authorization: null, cells: [[99]] }
    const { payments, ...rest } = bought.statement
    const { code, text, json, rows } = await bought.verify({ ...rest, payments: [...payments, added] })
    expect([code, rows.length]).toEqual([1, 12])
    expect(json).toMatchObject({
      ...{ paid: '11000', unproven: '999999000000', proved: { values: 11, named: 12 } },
    })
    expect(text).toMatch(/^proved: 11 of 12 values;/)
    expect(text).toMatch(/^paid {9}0\.011 USDC in 2 payments/m)
  })

  test('the same receipt twice, or another payee', async () => {
    const { payments, ...rest } = bought.statement
    const inNoCell = { ...payments[0], cells: payments[0]?.cells.map(() => []) }
    const twice = await bought.verify({ ...rest, payments: [...payments, inNoCell] })
    expect(twice).toMatchObject({ code: 1, text: expect.stringContaining('another payment too') })
    const paid = payments.map((payment) => ({ ...payment, payTo: `0x${'1'.repeat(40)}` }))
    expect(await bought.verify({ ...rest, payments: paid })).toMatchObject({
      ...{ code: 1, rows: [], text: 'Payment 1: The receipt is for another payee.' },
    })
  })

  test('several payers, or another one than the caller expects, are no success', async () => {
    const payer = bought.service.buyer.address
    const other = `0x${'1'.repeat(40)}`
    const codes = [[payer], [other, payer.toLowerCase()], [other]].map(async (payers) => {
      const lower = payers.map((each) => each.toLowerCase())
      return (await bought.verify(bought.statement, { payers: lower })).code
    })
    expect(await Promise.all(codes)).toEqual([0, 0, 1])
  })
})

describe('with a node', () => {
  const verify = (statement: unknown) => bought.verify(statement, { rpcUrl: bought.service.sandbox.rpcUrl })

  test('the transfers are found, to the payee who is signed', async () => {
    expect(await verify(bought.statement)).toMatchObject({ code: 0, json: { onChain: 2, paid: '11000' } })
  })

  test('a payment whose answer was lost counts once, and only if its transfer is there', async () => {
    const { service, statement } = bought
    const header = await service.pay()
    await service.check('iban', validValue('iban', 50), { 'PAYMENT-SIGNATURE': header })
    const row = service.rows().at(-1)
    const { network, payer, nonce } = row as Record<string, string>
    const authorization = { network, payer, nonce, validBefore: Number(row?.valid_before) }
    const lost = { amount: '1000', payTo: service.sandbox.payTo, authorization }
    const added = (...more: object[]) => ({
      ...statement,
      payments: [...statement.payments, ...more.map((each, at) => ({ ...each, cells: [[90 + at]] }))],
    })
    const offline = await bought.verify(added(lost))
    expect(offline).toMatchObject({ code: 1, json: { paid: '11000', unproven: '1000' } })
    expect(await verify(added(lost))).toMatchObject({
      // Its answer is lost all the same.
      code: 1,
      json: { proved: { values: 11, named: 12 }, paid: '12000', unproven: '0', onChain: 3 },
    })
    expect(await verify(added(lost, lost))).toMatchObject({
      code: 1,
      json: { paid: '12000', unproven: '1000' },
    })
    for (const change of [
      { amount: '2000' },
      { payTo: service.buyer.address },
      { authorization: { ...authorization, payer: service.sandbox.payTo } },
      { payTo: null },
      { authorization: { ...authorization, nonce: `0x${'1'.repeat(64)}` } },
      { authorization: { ...authorization, network: 'eip155:84532' } },
      { authorization: null },
    ])
      expect(await verify(added({ ...lost, ...change }))).toMatchObject({ code: 1, json: { paid: '11000' } })
  })
})
