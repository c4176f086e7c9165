/** Files of five other programs: read, bought at a service in this process, and opened again in another program. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckType } from 'format-checker-checks/verdict'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { encodingCalled } from '../../../../src/lists/encode-text.ts'
import {
  makeWorkbook,
  openedInPython,
  TEXT_FILES,
  WORKBOOK_ROWS,
} from '../../../../test/support/five-files.ts'
import { validValue } from '../../../../test/support/identifiers.ts'
import { startTestService } from '../../../../test/support/sandbox-service.ts'
import { type ScratchDir, scratchDir } from '../../../../test/support/service-process.ts'
import { buy } from '../../src/buy/buy.ts'
import { verifyCommand } from '../../src/verify/verify.ts'

let scratch: ScratchDir
let service: Awaited<ReturnType<typeof startTestService>>
beforeAll(async () => {
  scratch = scratchDir()
  service = await startTestService()
})
afterAll(async () => {
  await service.stop()
  scratch.remove()
})

async function bought(file: string, type: CheckType, column: string | undefined, ending: string) {
  const out = `${file}-${ending}.${ending}`
  const named = column === undefined ? [] : ['--column', column]
  const args = [type, '--file', file, '--out', out, ...named, '--url', service.url, '--quiet']
  expect(await buy(args)).toBe(0)
  return out
}

test.each(TEXT_FILES)('$program', async ({
  program,
  bytes,
  type,
  column,
  ending,
  encoding,
  delimiter,
  want,
}) => {
  const file = join(scratch.path, program.replace(/\W/g, ''))
  writeFileSync(file, bytes)
  const [first] = openedInPython(await bought(file, type, column, ending), encoding, delimiter)
  expect(first).toMatchObject(want)
})

test('a workbook with numbers and dates', async () => {
  const file = join(scratch.path, 'book.xlsx')
  makeWorkbook(file)
  const xlsx = await bought(file, 'pl-nip', undefined, 'xlsx')
  expect(openedInPython(xlsx, '', '')).toEqual([expect.objectContaining(WORKBOOK_ROWS.xlsx)])
  const csv = await bought(file, 'pl-nip', undefined, 'csv')
  expect(openedInPython(csv, 'utf-8-sig', ',')).toEqual([expect.objectContaining(WORKBOOK_ROWS.csv)])
})

test.each([
  ['without headings', '7;IBAN', '2'],
  ['whose heading is there twice', 'iban;iban\n7;IBAN', '2'],
  ['that has no heading', 'no;\n7;IBAN', '2'],
])('a CSV column %s is found by the statement of JSON Lines', async (_what, text, column) => {
  const file = join(scratch.path, `${text.length}.csv`)
  writeFileSync(file, `${text.replace('IBAN', validValue('iban', 1))}\n`)
  const out = await bought(file, 'iban', column, 'jsonl')
  const statement = out.replace(/jsonl$/, 'statement.json')
  expect(await verifyCommand([statement, '--url', service.url, '--json'])).toBe(0)
})

test('JSON Lines with a member that few objects have: every one has a column', async () => {
  const file = join(scratch.path, 'sparse.jsonl')
  const line = (more: object) =>
    `${JSON.stringify({ iban: validValue('iban', 1), pad: 'x'.repeat(1000), ...more })}\n`
  writeFileSync(file, `${line({}).repeat(70)}${line({ note: 'late', valid: 'mine' })}`)
  const last = openedInPython(await bought(file, 'iban', undefined, 'csv'), 'utf-8', ',').at(-1)
  expect(last).toMatchObject({ note: 'late', valid: 'mine', valid_2: 'true' })
  const own = openedInPython(await bought(file, 'iban', undefined, 'jsonl'), 'utf-8', '').at(-1)
  expect(own).toMatchObject({ note: 'late', valid: 'mine', valid_2: true })
})

test('letters of an encoding that is guessed are named before they are written in another', async () => {
  const file = join(scratch.path, 'polish.csv')
  writeFileSync(file, encodingCalled('windows-1250').encode(`nazwa;iban\nŁódź;${validValue('iban', 1)}\n`))
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  const notes = async (ending: string, ...more: readonly string[]) => {
    told.mockClear()
    const out = `${file}-${ending}${more.length}.${ending}`
    await buy(['iban', '--file', file, '--out', out, '--url', service.url, ...more])
    return told.mock.calls.join(' ').includes('--encoding')
  }
  expect([
    await notes('jsonl'),
    await notes('csv'),
    await notes('jsonl', '--encoding', 'windows-1250'),
  ]).toEqual([true, false, false])
  told.mockRestore()
})
