import type { SettleResponse } from '@x402/core/types'
import { expect, test } from 'vitest'
import { STATEMENT_FORMAT, type Statement } from '../../src/list/statement.ts'
import { statementPage } from '../../src/list/statement-page.ts'

const statementOf = (settlement: object): Statement => ({
  format: STATEMENT_FORMAT,
  private: '',
  service: 'https://checks.example/',
  type: 'iban',
  finishedAt: '2026-11-20T04:00:00.000Z',
  list: { file: 'out.csv', column: null, encoding: null, sheet: null },
  keys: null,
  payments: [
    {
      amount: '1000',
      payTo: null,
      settlement: { success: true, transaction: '0x1', ...settlement } as SettleResponse,
      results: null,
      rows: [1],
    },
  ],
})

test.each([
  ['markup', { markup: '<script>' }],
  ['nothing', null],
  ['a number', 1],
  ['a list', [{ markup: '<script>' }]],
  ['a tag', '<script>'],
])('what a service says of the payer is text or left out: %s', (_what, payer) => {
  const page = statementPage(statementOf({ payer, network: payer, transaction: '<script>' }))
  expect(page).not.toContain('<script>')
  expect(page).toContain('<td>1000</td>')
})
