import type { SettleResponse } from '@x402/core/types'
import { describe, expect, test } from 'vitest'
import { RESULT_FORMAT } from '../../../../src/lists/results.ts'
import { STATEMENT_FORMAT, type Statement } from '../../src/list/statement.ts'
import { statementPage } from '../../src/list/statement-page.ts'

const HASH = `0x${'1'.repeat(64)}`

const pageOf = (settlement: object | null, change: Partial<Statement> = {}): string => {
  const statement: Statement = {
    format: STATEMENT_FORMAT,
    private: '',
    service: 'https://checks.example/',
    finishedAt: '2026-11-20T04:00:00.000Z',
    input: { file: 'suppliers.csv', sha256: 'aa' },
    output: { file: 'out.csv', sha256: 'bb' },
    list: {
      ...{ of: 'output', encoding: null, sheet: null, columns: [{ type: 'iban', column: null }] },
      results: { format: RESULT_FORMAT, headings: null, behind: 1 },
    },
    keys: null,
    payments: [
      {
        amount: '1000',
        payTo: null,
        settlement:
          settlement === null
            ? null
            : ({ success: true, transaction: '0x1', ...settlement } as SettleResponse),
        authorization: null,
        request: null,
        results: null,
        cells: [[1]],
      },
    ],
    ...change,
  }
  return statementPage(statement, [[2, 501]])
}

test.each([
  ['markup', { markup: '<script>' }],
  ['nothing', null],
  ['a number', 1],
  ['a list', [{ markup: '<script>' }]],
  ['a tag', '<script>'],
])('what a service says of the payer is text or left out: %s', (_what, payer) => {
  const page = pageOf({ payer, network: payer, transaction: '<script>' })
  expect(page).not.toContain('<script>')
  expect(page).toContain('<td>0.001</td>')
})

describe('the page says what was checked', () => {
  const sale = { network: 'eip155:8453', payer: `0x${'2'.repeat(40)}`, transaction: HASH }

  test('the files with their hashes, the lines, the seller and the network in words', () => {
    const page = pageOf(sale)
    for (const words of [
      'suppliers.csv, SHA-256 aa',
      'out.csv, SHA-256 bb',
      '<td>2 to 501</td>',
      'https://checks.example/ did:web:checks.example',
      '<td>Base (eip155:8453)</td>',
      `href="https://basescan.org/tx/${HASH}"`,
      '0.001 USDC (1000 atomic units; 1 USDC stands for 1 US dollar) in 1 payment<',
    ])
      expect(page).toContain(words)
    expect(page).not.toMatch(/sandbox|Without a receipt/i)
  })

  test.each<[string, Partial<Statement>]>([
    ['by its key', { keys: { id: 'did:web:127.0.0.1%3A4021' } }],
    ['by its address, if the key was not to be had', { service: 'http://localhost:4021/' }],
  ])('a sandbox is named at the top, %s, without a link to a public chain', (_how, change) => {
    const page = pageOf(sale, change)
    expect(page).toContain('<h1>Sandbox: no real money.')
    expect(page).toContain('sandbox on this machine')
    expect(page).not.toContain('href=')
  })

  test('a receipt folds out, and is in no cell of a table', () => {
    const signature = 'x'.repeat(700)
    const receipt = { 'offer-receipt': { info: { receipt: { format: 'jws', signature } } } }
    const page = pageOf({ ...sale, extensions: receipt })
    expect(page).toContain(`<code>${signature}</code></details>`)
    expect(page).not.toMatch(/<td>[^<]{100}/)
  })

  test('what has no receipt is a sum of its own', () => {
    const page = pageOf(null)
    expect(page).toContain('<th>Paid</th><td>0 USDC')
    expect(page).toContain('<th>Without a receipt</th><td>0.001 USDC')
  })
})
