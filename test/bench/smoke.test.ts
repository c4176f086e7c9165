import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../support/command.ts'

/** Rows that need nothing but this machine's own processes; the others are started by the whole benchmark alone. */
const ROWS = ['unpaid', 'documents', 'paid', 'mcp', 'a2a']

it('the benchmark starts, drives every kind of server and is answered as it expects', () => {
  const only = ROWS.flatMap((row) => ['--only', row])
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', join(ROOT, 'bench/run.ts'), '--smoke', '--no-peers', ...only],
    { encoding: 'utf8', timeout: 110_000, env: { PATH: process.env.PATH ?? '' } },
  )
  expect(stderr).toBe('')
  expect(status).toBe(0)
  expect(stdout).not.toContain('other answers')
  for (const row of [
    'unpaid-probe',
    'unpaid-body',
    'paid-fast',
    'paid-fast-alone',
    'mcp-paid',
    'a2a-paid',
    'document/api/types-304',
  ]) {
    expect(stdout).toContain(`${row}: `)
  }
}, 120_000)
