import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RESULT_NAMES } from '../../../../../src/lists/results.ts'
import { newReceiptKey, readReceiptKey } from '../../../../../src/receipts/receipt-key.ts'
import { createReceiptSigner, receiptIdentity } from '../../../../../src/receipts/receipt-signer.ts'
import { signReceipt } from '../../../../../src/receipts/signed-receipt.ts'
import { readReceipt } from '../../../../../src/receipts/verify-receipt.ts'
import { validValue } from '../../../../../test/support/identifiers.ts'
import type { Statement } from '../../../src/list/statement.ts'
import { type BoughtList, buyList, formerOf } from './bought-list.ts'
import { subjectOf, textOf } from './changes.ts'

let bought: BoughtList
beforeAll(async () => {
  bought = await buyList()
})
afterAll(() => bought.stop())

test('an honest statement is genuine by the keys of the service', async () => {
  const { code, text, json } = await bought.verify(bought.statement)
  expect([code, text.split('\n')[0]]).toEqual([0, 'genuine'])
  expect(json).toMatchObject({
    ...{ genuine: true, keys: 'named', payments: 2, values: 11, paid: '11000', unproven: '0' },
    ...{ payees: [bought.service.sandbox.payTo], rows: { proved: 12, left_out: 2 }, file: 'as_stated' },
    ...{ columns: [{ type: 'iban', column: 'iban', results: RESULT_NAMES }], input: 'not_compared' },
    not_compared: {},
  })
})

test('the list of an earlier version, which had no column `cleaned`', async () => {
  const { list } = bought.statement
  const headings = list.results?.headings?.filter((name) => name !== 'cleaned') ?? []
  const results = { ...list.results, format: 'format-checker-results/1', headings }
  const earlier = { ...bought.statement, list: { ...list, results } }
  const at = bought.text.split('\r\n')[0]?.split(';').indexOf('cleaned') ?? 0
  const text = bought.text.replace(/^.+$/gm, (line) => line.split(';').toSpliced(at, 1).join(';'))
  expect(text).not.toContain('cleaned')
  expect(await bought.verify(earlier, { list: text })).toMatchObject({
    code: 0,
    json: { genuine: true, rows: { proved: 12, left_out: 2 }, file: 'other' },
  })
  const unknown = {
    ...earlier,
    list: { ...list, results: { ...results, format: 'format-checker-results/9' } },
  }
  expect(await bought.verify(unknown)).toMatchObject({ code: 1, json: { genuine: false } })
})

describe('forgery: a null in the rows of a payment, and a wrong IBAN beside a sold "valid"', () => {
  const forged = (text: string) => text.replace(validValue('iban', 1), validValue('iban', 77))

  test('as it was genuine once: the second row is gone, and the third has another value', async () => {
    const { payments, ...rest } = formerOf(bought.statement)
    const lines = bought.text.split('\r\n').toSpliced(2, 1)
    const text = lines.join('\r\n').replace(validValue('iban', 2), validValue('iban', 2).replace(/.$/, 'X'))
    const rows = (each: (typeof payments)[number]) =>
      each.rows.map((row) => (row === null || row === 2 ? null : row < 2 ? row : row - 1))
    const nulled = { ...rest, payments: payments.map((each) => ({ ...each, rows: rows(each) })) }
    for (const own of [false, true]) {
      const told = await bought.verify(nulled, { list: text, own })
      expect([told.code, told.json.genuine]).toEqual([1, false])
      expect(told.text).not.toMatch(/^genuine|are the ones that were sold/)
    }
  })

  test('in a statement', async () => {
    const [first, ...others] = bought.statement.payments
    const cells = first?.cells.map((each, at) => (at === 1 ? [] : each))
    const nulled = { ...bought.statement, payments: [{ ...first, cells }, ...others] }
    const { code, text, json } = await bought.verify(nulled, { list: forged(bought.text), isPart: true })
    expect([code, json.genuine, text]).toEqual([1, false, expect.stringMatching(/^Line 3 of the list has/)])
    // By itself it is said, too.
    const alone = await bought.verify(nulled)
    expect(alone).toMatchObject({ code: 1, json: { genuine: false, not_compared: { moved: 1 } } })
    expect(alone.text).toMatch(/^not proved whole\n/)
  })

  test('in a former one: nothing of the payment counts', async () => {
    const former = formerOf(bought.statement)
    expect(await bought.verify(former)).toMatchObject({
      code: 0,
      json: { genuine: true, rows: { proved: 12, left_out: 2 }, file: 'not_compared' },
    })
    const rows = former.payments[0]?.rows.map((row, at) => (at === 1 ? null : row))
    const nulled = { ...former, payments: [{ ...former.payments[0], rows }, ...former.payments.slice(1)] }
    const refused = await bought.verify(nulled, { list: forged(bought.text) })
    expect(refused).toMatchObject({
      code: 1,
      json: { genuine: false, values: 5, rows: { proved: 5 }, not_compared: { values: 6, rows: 7 } },
    })
    const partly = await bought.verify(nulled, { list: forged(bought.text), isPart: true })
    expect([partly.code, partly.text]).toEqual([
      0,
      expect.stringContaining('7 rows whose value or result has no proof'),
    ])
    expect(partly.text).toMatch(/^genuine, in part\n/)
  })
})

/** The statement of a service that the author of the file made up, with receipts by a key of its own. */
async function madeUp(): Promise<Statement> {
  const key = readReceiptKey(newReceiptKey())
  const signer = createReceiptSigner(key, 'https://checks.bank.example')
  const payments = await Promise.all(
    bought.statement.payments.map(async (payment) => {
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
  expect(own).toMatchObject({ code: 4, json: { genuine: false, keys: 'own' } })
  expect(own.text).toMatch(/^consistent; the signer was not checked/)
  expect(own.text).not.toMatch(/genuine|signed/)
  // What no key of the caller proves has no name of a proof.
  expect(Object.keys(own.json)).toEqual(['genuine', 'keys', 'signedBy', 'consistent'])
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
  const added = { amount: '999999000000', payTo: null, settlement: null, request: null, results: null }
  test.each([
    ['a statement', () => bought.statement, { cells: [] }],
    ['a former one', () => formerOf(bought.statement), { rows: [] }],
  ])('an added payment in %s', async (_name, statement, rows) => {
    const { payments, ...rest } = statement()
    const forged = { ...rest, payments: [...payments, { ...added, ...rows }] }
    const { code, text, json } = await bought.verify(forged)
    expect(code).toBe(1)
    expect(json).toMatchObject({
      genuine: false,
      paid: '11000',
      unproven: '999999000000',
      not_compared: { payments: 1 },
    })
    expect(text).toMatch(/paid {9}0\.011 USDC: 2 receipts\n/)
    const partly = await bought.verify(forged, { isPart: true })
    expect([partly.code, partly.json.paid]).toEqual([0, '11000'])
  })

  test('the same receipt twice, or another payee', async () => {
    const { payments, ...rest } = bought.statement
    const twice = await bought.verify({ ...rest, payments: [...payments, payments[0]] })
    expect(twice).toMatchObject({ code: 1, text: expect.stringContaining('another payment too') })
    for (const payTo of [null, `0x${'1'.repeat(40)}`]) {
      const paid = payments.map((payment) => ({ ...payment, payTo }))
      expect(await bought.verify({ ...rest, payments: paid })).toMatchObject({
        code: 1,
        text: 'Payment 1: The receipt is for another payee.',
      })
    }
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
    const lost = {
      ...{ amount: '1000', payTo: service.sandbox.payTo, authorization, cells: [] },
      ...{ settlement: null, request: null, results: null },
    }
    const added = (...more: object[]) => ({ ...statement, payments: [...statement.payments, ...more] })
    const offline = await bought.verify(added(lost))
    expect(offline).toMatchObject({ code: 1, json: { paid: '11000', unproven: '1000' } })
    expect(await verify(added(lost))).toMatchObject({
      code: 0,
      json: { genuine: true, paid: '12000', unproven: '0', onChain: 3, payments: 3 },
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

describe('the author of a statement also writes its hashes and names, which prove nothing', () => {
  /** The list with another cell, and a statement that names the changed file by its hash. */
  function forge(row: number, changes: Readonly<Record<string, string>>) {
    const { statement, lines } = subjectOf(bought)
    for (const [name, cell] of Object.entries(changes)) {
      const cells = lines[row] as string[]
      cells[lines[0]?.indexOf(name) ?? -1] = cell
    }
    return { statement, lines }
  }
  const verify = (subject: ReturnType<typeof forge>) => {
    const list = textOf(subject)
    subject.statement.output.sha256 = createHash('sha256').update(list).digest('hex')
    return bought.verify(subject.statement, { list })
  }

  test.each([
    ['cleaned', 1],
    ['cleaned', 11],
    ['hint', 12],
    ['suggested', 12],
    ['warnings', 1],
  ])('another cell under %s, line %i', async (name, row) => {
    const { code, text, json } = await verify(forge(row, { [name]: 'DE89370400440532013000' }))
    expect([code, json.genuine, json.not_compared]).toEqual([1, false, { words: 1 }])
    expect(text).toMatch(/^not proved whole\n/)
    expect(text).toContain('1 words beside proved cells (cleaned,')
  })

  test('the hash of the changed list is in the statement: not told as proved', async () => {
    const { code, text, json } = await verify(forge(1, { note: 'another' }))
    expect([code, json.file]).toEqual([0, 'as_stated'])
    expect(text).toMatch(/^file {9}has the SHA-256 in the statement, which no receipt covers$/m)
  })

  test('a row for which nothing was sold says no more than that', async () => {
    for (const name of ['cleaned', 'normalized', 'suggested', 'warnings'])
      expect(await verify(forge(14, { [name]: 'DE89370400440532013000' }))).toMatchObject({
        code: 1,
        text: expect.stringMatching(/^Line 15 of the list has/),
      })
    const reworded = await verify(forge(14, { reason: 'Valid, says the bank.' }))
    expect(reworded).toMatchObject({ code: 1, json: { genuine: false, not_compared: { rows: 1 } } })
  })

  test('a value that was sold is not among those for which nothing was', async () => {
    const empty = { valid: '', reason: 'A row of totals.', normalized: '', cleaned: '' }
    const forged = forge(10, { ...empty, code: 'totals_row' })
    for (const { cells } of forged.statement.payments as { cells: number[][] }[])
      for (const each of cells) if (each.includes(10)) each.splice(each.indexOf(10), 1)
    expect(await verify(forged)).toMatchObject({
      code: 1,
      json: { genuine: false, rows: { proved: 11, left_out: 2 }, not_compared: { rows: 1 } },
    })
  })

  test('results under headings that are not theirs', async () => {
    const forged = forge(0, { valid: 'x', code: 'y' })
    for (const [row, cells] of forged.lines.entries()) cells.push(row === 0 ? 'valid' : 'true')
    const { headings } = forged.statement.list.results as { headings: string[] }
    headings.splice(0, 2, 'x', 'y')
    expect(await verify(forged)).toMatchObject({ code: 1, json: { genuine: false } })
  })

  test('what another column and lines above the headings hold is not proved: the report names them', async () => {
    const forged = forge(0, { iban: 'kept' })
    for (const [row, cells] of forged.lines.entries()) cells.push(row === 0 ? 'iban' : 'DE00')
    forged.statement.list.columns = [{ type: 'iban', column: 'kept' }]
    const { code, text, json } = await verify(forged)
    expect([code, json.columns]).toEqual([0, [{ type: 'iban', column: 'kept', results: RESULT_NAMES }]])
    expect(text).toContain(`columns      kept, ${RESULT_NAMES.join(', ')}\n`)
    const above = forge(0, {})
    above.lines.unshift(['All IBANs below were checked by the bank'])
    const told = await verify(above)
    expect([told.code, told.json.rows]).toEqual([0, { proved: 12, left_out: 2, above: 1 }])
    expect(told.text).toMatch(/^above {8}1 line above the headings, not compared$/m)
  })

  test('the input, if the caller names it', async () => {
    const input = join(bought.folder, 'suppliers.csv')
    const named = await bought.verify(bought.statement, { input })
    expect([named.code, named.json.input]).toEqual([0, 'as_stated'])
    expect((await bought.verify(bought.statement)).text).toMatch(/^input {8}not compared; --input names it$/m)
    for (const [statement, of, fault] of [
      [bought.statement, join(bought.folder, 'out.csv'), 'not the one that the statement names'],
      [formerOf(bought.statement), input, 'no hash of its input'],
    ] as const)
      expect(await bought.verify(statement, { input: of })).toMatchObject({
        code: 1,
        text: expect.stringContaining(fault),
      })
  })
})
