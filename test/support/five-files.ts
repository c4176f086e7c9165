/** Files of five other programs, and what another program must read in what comes back. */
import { execFileSync } from 'node:child_process'
import { PROGRAM_FILES } from './program-files.ts'

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

/** The rows of a file as Python reads them. */
export const openedInPython = (path: string, encoding: string, delimiter: string): readonly object[] =>
  JSON.parse(execFileSync(PYTHON, ['-c', READ, path, encoding, delimiter], { encoding: 'utf8' }))

export const makeWorkbook = (path: string): void => void execFileSync(PYTHON, ['-c', MAKE, path])

const TOLD = { Firma: 'Żółć', valid: 'true', cleaned: '5260250274' }
/** The first row of the workbook with its results, as a workbook and as CSV. */
export const WORKBOOK_ROWS = {
  xlsx: { ...TOLD, valid: true, NIP: 5260250274, Data: '2026-11-01 00:00:00', Kwota: 1234.5 },
  csv: { ...TOLD, NIP: '5260250274', Data: '01.11.2026', Kwota: '1,234.50' },
} as const

/** Files of text: how the results are read, and what their first row has. */
export const TEXT_FILES = (
  [
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
  ] as const
).map(([program, ending, encoding, delimiter, want]) => {
  const file = PROGRAM_FILES.find((each) => each.program === program)
  if (file === undefined) throw new Error(`there is no file of ${program}`)
  return { ...file, ending, encoding, delimiter, want }
})
