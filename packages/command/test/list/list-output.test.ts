import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NO_WORDS, type RowResult } from '../../../../src/lists/results.ts'
import { validValue } from '../../../../test/support/identifiers.ts'
import { type ScratchDir, scratchDir } from '../../../../test/support/service-process.ts'
import { type ListOptions, readBuyOptions } from '../../src/buy/buy-options.ts'
import { formatOf } from '../../src/buy/list-formats.ts'
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
  expect(readFileSync(out, 'utf8')).toMatch(/^name\tiban\tvalid\t.*\r\n"Meier, A"\t\w+\tfalse\t/)
})

/** The file that `buy iban --file FILE --out OUT` writes, with every row refused. */
async function boughtInto(file: string, out: string, ...more: readonly string[]): Promise<Buffer> {
  const { source } = readBuyOptions(['iban', '--file', file, '--out', out, ...more])
  const { outputFormat, columns, bom } = source as ListOptions
  const input = await openList(file, { columns })
  const format = formatOf(outputFormat, input)
  const output = await openOutput({
    out,
    outputFormat: format,
    input,
    own: () => NO_WORDS,
    replaces: false,
    bom,
  })
  for await (const row of input.rows) await output.write(row, [LIED])
  await output.finish()
  return readFileSync(out)
}

test.each([
  [
    'a table of SAP',
    `-----\n|Name|IBAN|\n|A|${validValue('iban', 0)}|\n-----\n`,
    /^-----\r?\n\|?Name\|IBAN\|.*valid\|/,
  ],
  ['a CSV', `Name;IBAN\nA;${validValue('iban', 0)}\n`, /^Name;IBAN;valid;/],
  ['JSON Lines', `{"iban":"${validValue('iban', 0)}"}\n`, /^\{"iban":"[^"]*","valid":false,/],
])('a file that ends in .txt is what its list is: %s', async (_what, text, begins) => {
  const [file, out] = ['in.txt', 'sap.txt'].map((name) => join(scratch.path, name)) as [string, string]
  writeFileSync(file, text)
  const lines = (await boughtInto(file, out)).toString()
  expect(lines).toMatch(begins)
  expect(lines).not.toMatch(/^\s*invalid/m)
})

test('--bom begins a CSV with a byte order mark, which else is as in its list', async () => {
  const text = `Name;IBAN\nA;${validValue('iban', 0)}\n`
  const beginOf = async (name: string, given: string, ...more: readonly string[]) => {
    const file = join(scratch.path, `${name}.csv`)
    writeFileSync(file, given)
    return (await boughtInto(file, join(scratch.path, `${name}.out.csv`), ...more)).toString().slice(0, 4)
  }
  expect(await beginOf('plain', text)).toBe('Name')
  expect(await beginOf('asked', text, '--bom')).toBe('\ufeffNam')
  expect(await beginOf('marked', `\ufeff${text}`)).toBe('\ufeffNam')
})
