/** Files of five other programs: read, bought at a service in this process, and opened again in another program. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CheckType } from '../../../../src/checks/verdict.ts'
import { PROGRAM_FILES } from '../../../../test/support/program-files.ts'
import { startTestService } from '../../../../test/support/sandbox-service.ts'
import { type ScratchDir, scratchDir } from '../../../../test/support/service-process.ts'
import { buy } from '../../src/buy/buy.ts'

/** Debian's: it has openpyxl. */
const PYTHON = '/usr/bin/python3'
const READ = `import csv, json, openpyxl, sys
path, encoding, delimiter = sys.argv[1:]
if path.endswith('.xlsx'):
    head, *rows = openpyxl.load_workbook(path).active.values
    rows = [dict(zip(head, row)) for row in rows]
elif path.endswith('.jsonl'):
    rows = [json.loads(line) for line in open(path, encoding=encoding)]
else:
    lines = open(path, encoding=encoding, newline='')
    if delimiter == 'sep=':
        delimiter = next(lines)[4]
    rows = list(csv.DictReader(lines, delimiter=delimiter))
print(json.dumps(rows, default=str))`
/** A number, a date and an amount, as openpyxl writes them. */
const MAKE = `import datetime, openpyxl, sys
book = openpyxl.Workbook()
for row in [['Firma', 'NIP', 'Data', 'Kwota'], ['Żółć', 5260250274, datetime.date(2026, 11, 1), 1234.5]]:
    book.active.append(row)
book.active['C2'].number_format = 'dd.mm.yyyy'
book.active['D2'].number_format = '#,##0.00'
book.save(sys.argv[1])`

type Rows = readonly Readonly<Record<string, unknown>>[]

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

const opened = (path: string, encoding: string, delimiter: string): Rows =>
  JSON.parse(execFileSync(PYTHON, ['-c', READ, path, encoding, delimiter], { encoding: 'utf8' }))

test.each([
  [
    'Excel, CSV with sep=',
    ...['csv', 'utf-8-sig', 'sep='],
    { Lieferant: 'Müller', Betrag: '1.234,50', valid: 'true', cleaned: 'DE89370400440532013000' },
  ],
  [
    'Excel (Polish), "CSV (rozdzielany przecinkami)"',
    ...['csv', 'cp1250', ';'],
    { Kontrahent: 'Żółć Sp. z o.o.', Miejscowość: 'Łódź', valid: 'true', cleaned: '5260250274' },
  ],
  [
    'SAP, spreadsheet export with tabs (UTF-16)',
    ...['csv', 'utf-16', '\t'],
    { 'Name 1': 'Müller', valid: 'true', cleaned: 'DE136695976' },
  ],
  [
    'BigQuery, JSON Lines: the member named as the type',
    ...['jsonl', 'utf-8', ''],
    { id: '1', valid: true, cleaned: 'a@a.example' },
  ],
] as const)('%s', async (program, ending, encoding, delimiter, want) => {
  const { bytes, type, column } = PROGRAM_FILES.find((each) => each.program === program)!
  const file = join(scratch.path, program.replace(/\W/g, ''))
  writeFileSync(file, bytes)
  const [first] = opened(await bought(file, type, column, ending), encoding, delimiter)
  expect(first).toMatchObject(want)
})

test('a workbook with numbers and dates', async () => {
  const file = join(scratch.path, 'book.xlsx')
  execFileSync(PYTHON, ['-c', MAKE, file])
  const told = { Firma: 'Żółć', valid: 'true', cleaned: '5260250274' }
  expect(opened(await bought(file, 'pl-nip', undefined, 'xlsx'), '', '')).toEqual([
    expect.objectContaining({ ...told, NIP: 5260250274, Data: '2026-11-01 00:00:00', Kwota: 1234.5 }),
  ])
  expect(opened(await bought(file, 'pl-nip', undefined, 'csv'), 'utf-8-sig', ',')).toEqual([
    expect.objectContaining({ ...told, NIP: '5260250274', Data: '01.11.2026', Kwota: '1,234.50' }),
  ])
})
