import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENCODINGS, type EncodingName } from '../../../../src/lists/decode-text.ts'
import { encodingCalled } from '../../../../src/lists/encode-text.ts'
import { NO_WORDS, type RowResult } from '../../../../src/lists/results.ts'
import type { OutputFormat } from '../../../../src/lists/write-rows.ts'
import { type ScratchDir, scratchDir } from '../../../../test/support/service-process.ts'
import { openOutput } from '../../src/list/list-output.ts'
import { openList } from '../../src/list/open-list-file.ts'

/** Debian's: it has openpyxl. */
const PYTHON = '/usr/bin/python3'
/** Letters that each of the encodings has. */
const NAME = 'Müller; "ö"'
const IBAN = 'DE89370400440532013000'
const SOLD: RowResult = {
  kind: 'checked',
  valid: true,
  code: 'ok',
  reason: 'Fine; so.',
  normalized: `${'\u2022'.repeat(18)}3000`,
}
const MASK = `${'*'.repeat(18)}3000`

let scratch: ScratchDir
beforeAll(() => {
  scratch = scratchDir()
})
afterAll(() => scratch.remove())

async function outputOf(
  name: string,
  bytes: Uint8Array,
  to: OutputFormat | 'workbook',
  encoding?: EncodingName,
) {
  const file = join(scratch.path, name)
  const out = join(scratch.path, `${name}.${to === 'workbook' ? 'xlsx' : to}`)
  writeFileSync(file, bytes)
  const input = await openList(file, { columns: [{ type: 'iban' }], encoding })
  const output = await openOutput({ out, outputFormat: to, input, own: () => NO_WORDS, replaces: false })
  for await (const row of input.rows) await output.write(row, [SOLD])
  await output.finish()
  return out
}

/** The rows as another program reads them, with no word of the encoding but what the file itself or its reader's locale says. */
function readCsv(path: string, encoding: string): Record<string, string>[] {
  const program = `import csv, json, sys
print(json.dumps(list(csv.DictReader(open(sys.argv[1], encoding=sys.argv[2], newline=''), delimiter=';'))))`
  return JSON.parse(execFileSync(PYTHON, ['-c', program, path, encoding], { encoding: 'utf8' }))
}

const TEXT = `name;iban\r\n"${NAME.replaceAll('"', '""')}";${IBAN}\r\n`
const ROW = { name: NAME, iban: IBAN, valid: 'true', code: 'ok', reason: 'Fine; so.', normalized: MASK }

describe.each(ENCODINGS)('a CSV in %s', (name) => {
  const bytes = encodingCalled(name).encode(name.startsWith('utf-16') ? `\ufeff${TEXT}` : TEXT)

  test('comes back as a CSV that Python reads', async () => {
    const out = await outputOf(`${name}.txt`, bytes, 'csv', name)
    const as = name === 'utf-8' ? 'utf-8-sig' : name.startsWith('utf-16') ? 'utf-16' : name
    expect(readCsv(out, as)).toEqual([expect.objectContaining(ROW)])
  })

  test('comes back as JSON Lines that jq, Python and Node read', async () => {
    const out = await outputOf(`${name}.2.txt`, bytes, 'jsonl', name)
    const want = { ...ROW, valid: true, place: [] }
    const read =
      'import json, sys\nprint(json.dumps([json.loads(l) for l in open(sys.argv[1], encoding="utf-8")]))'
    for (const line of [
      readFileSync(out, 'utf8'),
      execFileSync('jq', ['-c', '.', out], { encoding: 'utf8' }),
      JSON.stringify(JSON.parse(execFileSync(PYTHON, ['-c', read, out], { encoding: 'utf8' }))[0]),
    ])
      expect(JSON.parse(line)).toMatchObject(want)
  })
})

test('a workbook of openpyxl comes back as one that it reads, and as a CSV that a spreadsheet reads', async () => {
  const made = join(scratch.path, 'made.xlsx')
  const write = `import json, openpyxl, sys
book = openpyxl.Workbook()
for row in json.loads(sys.argv[2]): book.active.append(row)
book.save(sys.argv[1])`
  const rows = [
    ['name', 'iban'],
    [NAME, IBAN],
  ]
  execFileSync(PYTHON, ['-c', write, made, JSON.stringify(rows)])
  const bytes = readFileSync(made)
  const program = `import json, openpyxl, sys
rows = list(openpyxl.load_workbook(sys.argv[1]).active.values)
print(json.dumps([dict(zip(rows[0], row)) for row in rows[1:]]))`
  const out = await outputOf('book.xlsx', bytes, 'workbook')
  const read = execFileSync(PYTHON, ['-c', program, out], { encoding: 'utf8' })
  expect(JSON.parse(read)).toEqual([expect.objectContaining({ ...ROW, valid: true })])
  const csv = readFileSync(await outputOf('book.2.xlsx', bytes, 'csv'), 'utf8')
  expect(csv.charCodeAt(0)).toBe(0xfeff)
  expect(csv).toContain(MASK)
})
