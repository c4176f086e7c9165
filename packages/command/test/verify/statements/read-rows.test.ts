import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { validValue } from '../../../../../test/support/identifiers.ts'
import { type ScratchDir, scratchDir } from '../../../../../test/support/service-process.ts'
import { printOf, readRows } from '../../../src/verify/read-rows.ts'
import type { ReadStatement } from '../../../src/verify/read-statement.ts'

let scratch: ScratchDir
beforeEach(() => {
  scratch = scratchDir()
})
afterEach(() => scratch.remove())

const statementOf = (file: string): Pick<ReadStatement, 'columns' | 'list'> => ({
  columns: [{ type: 'iban' }],
  list: { file, sha256: null, encoding: null, sheet: null, results: null },
})

test('a statement, which anybody may have written, opens no file but a plain one beside it', async () => {
  const inner = join(scratch.path, 'inner')
  mkdirSync(inner)
  writeFileSync(join(scratch.path, 'list.txt'), `${validValue('iban', 0)}\n`)
  symlinkSync(join(scratch.path, 'list.txt'), join(inner, 'link.txt'))
  const path = join(inner, 'x.statement.json')
  for (const file of ['link.txt', 'none.txt'])
    expect(await readRows(statementOf(file), { path, list: null })).toBeNull()
  const beside = join(scratch.path, 'x.statement.json')
  expect((await readRows(statementOf('list.txt'), { path: beside, list: null }))?.cells).toHaveLength(1)
  // A file that the caller names may be a link.
  expect(await readRows(statementOf('x'), { path, list: join(inner, 'link.txt') })).not.toBeNull()
})

describe('the print of a result', () => {
  const print = (change: Readonly<Record<string, string | undefined>> = {}) => {
    const cells: Readonly<Record<string, string | undefined>> = {
      valid: 'true',
      code: 'ok',
      reason: 'Fine.',
      normalized: 'DE\u2022\u20221',
      place: '',
      cleaned: 'DE001',
      hint: '',
      ...change,
    }
    return printOf(Object.keys(cells), (name) => cells[name])
  }

  test.each([
    ['a mask of asterisks', { normalized: 'DE**1' }],
    ['a mask that an old encoding could not write', { normalized: 'DE??1' }],
    ['truth in capitals', { valid: 'TRUE' }],
    ['truth in German', { valid: 'WAHR' }],
    ['truth in Polish', { valid: 'PRAWDA' }],
    ['white space around a cell', { code: ' ok', reason: 'Fine. ' }],
    ['white space around the cleaned value', { cleaned: ' DE001 ' }],
  ])('is the same with %s', (_what, change) => expect(print(change)).toEqual(print()))

  test.each([
    ['the other verdict', { valid: 'false' }],
    ['the other verdict in German', { valid: 'FALSCH' }],
    ['another code', { code: 'checksum' }],
    ['another digit behind the mask', { normalized: 'DE\u2022\u20222' }],
    ['a shorter mask', { normalized: 'DE\u20221' }],
    ['another place', { place: '3' }],
  ])('is another with %s', (_what, change) => expect(print(change).signed).not.toBe(print().signed))

  test.each([
    ['another cleaned value', { cleaned: 'DE002' }],
    ['a hint', { hint: 'Pay another.' }],
    ['no column of hints', { hint: undefined }],
  ])('tells what was sold from what was written beside it: %s', (_what, change) => {
    expect(print(change).signed).toBe(print().signed)
    expect(print(change).own).not.toBe(print().own)
  })
})
