import { join } from 'node:path'
import { expect, it } from 'vitest'
import { outcomeOf, ROOT } from '../support/command.ts'

/** Rows that need nothing but this machine's own processes; the others are started by the whole benchmark alone. */
const ROWS = ['unpaid', 'documents', 'paid', 'paid-disk', 'channels', 'gas', 'mcp', 'a2a', 'ledger']

it('the benchmark starts, drives every kind of server and is answered as it expects', async () => {
  const only = ROWS.flatMap((row) => ['--only', row])
  const { code, stdout, stderr } = await outcomeOf([
    '--no-warnings',
    join(ROOT, 'bench/run.ts'),
    '--smoke',
    '--no-peers',
    ...only,
  ])
  expect([code, stderr, code === 0 ? [] : stdout]).toEqual([0, [], []])
  const printed = stdout.join('\n')
  expect(printed).not.toContain('other answers')
  for (const row of [
    'unpaid-probe',
    'unpaid-body',
    'paid-fast',
    'paid-fast-alone',
    'paid-fast-beside',
    'channels-busy',
    'channels-alone',
    'settlement-gas',
    'channel-gas',
    'mcp-paid',
    'a2a-paid',
    'ledger-sqlite',
    'document/api/types-304',
  ]) {
    expect(printed).toContain(`${row}: `)
  }
})
