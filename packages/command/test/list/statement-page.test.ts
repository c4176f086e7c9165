import { describe, expect, test } from 'vitest'
import { PRIVATE, STATEMENT_FORMAT, type Statement } from '../../../../src/lists/statement/format.ts'
import { countAnswers, statementPage } from '../../../../src/lists/statement/page.ts'
import { networkInWords } from '../../src/statement/network-title.ts'

const HASH = `0x${'1'.repeat(64)}`
const PAYEE = `0x${'4'.repeat(40)}`
const ANSWERS = countAnswers([
  [
    { valid: true, details: { ruleset: 'iban-2026-11' } },
    { valid: false, details: { ruleset: 'iban-2026-11' } },
    { valid: true, details: null },
  ],
])

/** A receipt whose signed part has a time. */
const signedAt = (issuedAt: unknown) =>
  `e30.${Buffer.from(JSON.stringify({ issuedAt })).toString('base64url')}.c2ln`

const pageOf = (settlement: object | null, change: Partial<Statement> = {}): string => {
  const every = { amount: '3000', payTo: PAYEE, cells: [[1, 9], [4], [12]] }
  const statement: Statement = {
    format: STATEMENT_FORMAT,
    private: PRIVATE,
    service: 'https://checks.example/',
    finishedAt: '2026-11-20T04:00:00.000Z',
    input: { file: 'suppliers.xlsx', sha256: 'aa' },
    output: { file: 'out.xlsx', sha256: 'bb' },
    list: {
      columns: [{ type: 'iban', column: 'Konto' }],
      sheet: 'Lieferanten',
      leftOut: { empty: 2, several_values: 1 },
    },
    keys: null,
    payments: [
      settlement === null
        ? { ...every, authorization: null }
        : {
            ...every,
            settlement: { success: true, transaction: '0x1', ...settlement },
            request: 'UkVRVUVTVA==',
            results: 'UkVTVUxUUw==',
          },
    ],
    ...change,
  }
  const answers = settlement === null ? [] : ANSWERS
  return statementPage(statement, { answers, networkInWords, file: 'out.statement.json' })
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
  expect(page).toContain('<td>0.003</td>')
})

describe('the page says what was checked', () => {
  const receipt = (signature: string) => ({
    extensions: { 'offer-receipt': { info: { receipt: { format: 'jws', signature } } } },
  })
  const sale = { network: 'eip155:8453', payer: `0x${'2'.repeat(40)}`, transaction: HASH }

  test('all that a person files: accounts, dates, counts, column, files, and what it is not', () => {
    const page = pageOf({ ...sale, ...receipt(signedAt(1_763_683_200)) })
    for (const words of [
      'suppliers.xlsx, SHA-256 aa',
      'out.xlsx, SHA-256 bb',
      'iban in column Konto',
      '<td>Lieferanten</td>',
      '3: 2 valid, 1 not valid',
      '2 empty, 1 several_values',
      '<td>iban-2026-11</td>',
      `<td>0x${'2'.repeat(40)}</td>`,
      `<td>${PAYEE}</td>`,
      '<th>Issued</th><td>2025-11-21T00:00:00Z</td>',
      '<td>1</td><td>2025-11-21T00:00:00Z</td><td>3</td><td>2</td><td>1</td><td>1 to 12</td><td>0.003</td>',
      'https://checks.example/ did:web:checks.example',
      '<td>Base (eip155:8453)</td>',
      `href="https://basescan.org/tx/${HASH}"`,
      '0.003 USDC (3000 atomic units; 1 USDC stands for 1 US dollar) in 1 payment<',
      'format-checker verify out.statement.json --out proved.csv --url https://checks.example/',
      'no invoice',
      'VAT number',
    ])
      expect(page).toContain(words)
    expect(page).not.toMatch(/sandbox|Without a receipt|UkVRVUVTVA|UkVTVUxUUw/i)
  })

  test('each receipt is in print, and in no closed part', () => {
    const signature = signedAt(1_763_683_200)
    const page = pageOf({ ...sale, ...receipt(signature) })
    expect(page).toContain(`<code>${signature}</code>`)
    expect(page).not.toMatch(/<details|<summary|display:\s*none|hidden/)
  })

  test('in a list of several columns a row has a cell of each', () => {
    const columns = [
      { type: 'iban', column: 'iban' },
      { type: 'eu-vat', column: null },
    ] as const
    const page = pageOf(sale, { list: { columns, sheet: null, leftOut: {} } })
    expect(page).toContain('<td>1 to 6</td>')
    expect(page).toContain('iban in column iban; eu-vat<')
    expect(page).not.toContain('<th>Sheet</th>')
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

  test.each([
    '',
    'x',
    'a.b.c',
    signedAt(1e300),
    signedAt('x'),
    signedAt(null),
  ])('a receipt of other kinds: %j', (signature) => {
    expect(pageOf({ ...sale, ...receipt(signature) })).toMatch(
      /<td>(?:answer lost|1970-01-01T00:00:00Z)<\/td>/,
    )
  })

  test('what has no receipt is a sum of its own', () => {
    const page = pageOf(null)
    expect(page).toContain('<th>Paid</th><td>0 USDC')
    expect(page).toContain('<th>Without a receipt</th><td>0.003 USDC')
    expect(page).toContain('no receipt: the answer was lost')
  })
})
