import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NO_WORDS, type RowResult } from '../../../../src/lists/results.ts'
import { validValue } from '../../../../test/support/identifiers.ts'
import { type ScratchDir, scratchDir } from '../../../../test/support/service-process.ts'
import { openOutput } from '../../src/list/list-output.ts'
import { openList } from '../../src/list/open-list-file.ts'

let scratch: ScratchDir
let written: string
const { isTTY } = process.stdout
beforeEach(() => {
  scratch = scratchDir()
  written = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += text
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  process.stdout.isTTY = isTTY
  scratch.remove()
})

const LIE = 'Fine.\u001b[2J\u009b2J\rvalid\u0007'
const LIED: RowResult = { kind: 'checked', valid: false, code: 'x', reason: LIE, normalized: null }

async function outputOf(outputFormat: 'csv' | 'jsonl', onTerminal: boolean): Promise<string> {
  process.stdout.isTTY = onTerminal
  const file = join(scratch.path, 'list.txt')
  writeFileSync(file, `${validValue('iban', 0)}\n`)
  const input = await openList(file, { columns: [{ type: 'iban' }] })
  const output = await openOutput({ out: null, outputFormat, input, own: () => NO_WORDS, replaces: false })
  for await (const row of input.rows) await output.write(row, [LIED])
  return written
}

test.each(['csv', 'jsonl'] as const)('rows as %s move nothing on a terminal', async (format) => {
  const shown = await outputOf(format, true)
  expect(shown).toContain('Fine.')
  expect(shown.replaceAll('\r\n', '').replaceAll('\n', '')).toMatch(/^\P{Cc}*$/u)
})

test('rows in a pipe are what the service said', async () => {
  expect(await outputOf('csv', false)).toContain(LIE)
})

test('a file that ends in .tsv has tabs, whatever the list had', async () => {
  const [file, out] = ['list.csv', 'out.tsv'].map((name) => join(scratch.path, name)) as [string, string]
  writeFileSync(file, `name,iban\n"Meier, A",${validValue('iban', 0)}\n`)
  const input = await openList(file, { columns: [{ type: 'iban' }] })
  const output = await openOutput({ out, outputFormat: 'csv', input, own: () => NO_WORDS, replaces: false })
  for await (const row of input.rows) await output.write(row, [LIED])
  await output.finish()
  expect(readFileSync(out, 'utf8')).toMatch(/^\ufeffname\tiban\tvalid\t.*\r\n"Meier, A"\t\w+\tfalse\t/)
})
