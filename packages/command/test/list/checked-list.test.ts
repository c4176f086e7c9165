import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { validValue } from '../../../../test/support/identifiers.ts'
import { scratchDir } from '../../../../test/support/service-process.ts'
import { readRows } from '../../src/list/checked-list.ts'
import { STATEMENT_FORMAT, type Statement } from '../../src/list/statement.ts'

const statementOf = (file: string): Statement => ({
  format: STATEMENT_FORMAT,
  private: '',
  service: 'https://checks.example/',
  type: 'iban',
  finishedAt: '2026-11-20T04:00:00.000Z',
  list: { file, column: null, encoding: null, sheet: null },
  keys: null,
  payments: [],
})

test('a statement, which anybody may have written, opens no file but one beside it', async () => {
  const scratch = scratchDir()
  mkdirSync(join(scratch.path, 'inner'))
  writeFileSync(join(scratch.path, 'list.txt'), `${validValue('iban', 0)}\n`)
  const inner = join(scratch.path, 'inner', 'x.statement.json')
  const beside = join(scratch.path, 'x.statement.json')
  expect(await readRows(statementOf('../list.txt'), { path: inner, list: null })).toBeNull()
  expect((await readRows(statementOf('list.txt'), { path: beside, list: null }))?.cells.size).toBe(1)
  scratch.remove()
})
