/** Statements that want this machine's time, memory or files: one line each, and nothing opened that was not named. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Budget } from '../../../../src/lists/budget.ts'
import type { PaidPayment } from '../../../../src/lists/statement/format.ts'
import { newReceiptKey, readReceiptKey } from '../../../../src/receipts/receipt-key.ts'
import { createReceiptSigner } from '../../../../src/receipts/receipt-signer.ts'
import { signReceipt } from '../../../../src/receipts/signed-receipt.ts'
import { ReceiptFault, readReceipt } from '../../../../src/receipts/verify-receipt.ts'
import { runCli } from '../../../../test/support/run-cli.ts'
import { unpack } from '../../src/statement/packed.ts'
import { type BoughtList, buyList } from './statements/bought-list.ts'

let bought: BoughtList
beforeAll(async () => {
  bought = await buyList()
})
afterAll(() => bought.stop())

/** In a process of its own, as a buyer runs it. */
async function verified(text: string | Buffer, name = 'hostile.statement.json') {
  const path = join(bought.folder, name)
  writeFileSync(path, text)
  return runCli(['verify', path], { NODE_OPTIONS: '--max-old-space-size=1024' })
}

const refused = {
  code: 1,
  stdout: '',
  stderr: expect.stringMatching(/^format-checker: not verified\. [^\n]+$/),
}

test.each([
  ['one string', () => `{"format":"format-checker-statement/2","service":"${'x'.repeat(100e6)}"}`],
  ['brackets', () => `{"format":"format-checker-statement/2","list":${'['.repeat(50e6)}${']'.repeat(50e6)}}`],
  [
    'payments',
    () => JSON.stringify(bought.statement).replace('"payments":[', `"payments":[${'{},'.repeat(30e6)}`),
  ],
])('100 MB of %s', async (_what, text) => expect(await verified(text())).toEqual(refused))

test('a file without an end', async () => {
  const { code, stderr } = await runCli(['verify', '/dev/zero'])
  expect([code, stderr]).toEqual([
    1,
    'format-checker: not verified. /dev/zero: the file is larger than 256 MB.',
  ])
})

describe('bombs of gzip', () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' ')).toString('base64')
  const payments = () =>
    Array.from({ length: 300 }, () => {
      const [first] = bought.statement.payments as [PaidPayment]
      return { ...first, request: bomb, results: bomb, cells: first.cells.map(() => []) }
    })

  test('300 in a statement of the service are not unpacked beyond the size of what was sold', async () => {
    expect(await verified(JSON.stringify({ ...bought.statement, payments: payments() }))).toEqual(refused)
    expect(() => unpack(bomb, 1_000, new Budget())).toThrow(ReceiptFault)
  })

  test('one that is said to hold a million values is not unpacked beyond what its file allows', () => {
    expect(() => unpack(bomb, 1_000_000, new Budget())).toThrow(ReceiptFault)
  })

  test('by a signer of another key, none is unpacked at all', async () => {
    const signer = createReceiptSigner(readReceiptKey(newReceiptKey()), bought.service.url)
    const { payload, salt = '' } = readReceipt((bought.statement.payments[0] as PaidPayment).settlement)
    const settlement = await signReceipt(signer, payload, Buffer.from(salt, 'hex'))
    const forged = { ...bought.statement, payments: payments().map((each) => ({ ...each, settlement })) }
    expect(await bought.verify(forged)).toMatchObject({
      text: expect.stringContaining('do not include the one'),
    })
  })
})

test('a file that a statement names is not opened', async () => {
  // A named pipe without a writer would hold its reader forever.
  execFileSync('mkfifo', [join(bought.folder, 'pipe.csv')])
  for (const file of ['../secret.csv', '/dev/zero', 'pipe.csv', 'a\0b', '']) {
    const named = { file, sha256: null }
    const { code, stdout } = await verified(
      JSON.stringify({ ...bought.statement, input: named, output: named }),
    )
    expect([code, stdout]).toEqual([4, expect.stringContaining('not compared; name LIST')])
  }
})
