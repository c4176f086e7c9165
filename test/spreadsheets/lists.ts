/** Lists as bookkeepers have them, and the files in which thirty writers keep them. */
import { join } from 'node:path'
import type { CheckType } from 'format-checker-checks/verdict'
import { validIban, validNip } from '../support/identifiers.ts'

export interface ListRow {
  /** Different in each row, so that a row is known after it was sorted. */
  readonly name: string
  readonly value: string
  readonly amount: number
  /** Null for a row without a value. */
  readonly valid: boolean | null
}

/** What a file has beside the rows; each writer knows some of it. */
export interface Features {
  /** Lines above the headings. */
  readonly above?: number
  readonly filter?: boolean
  /** The filter shows some rows only. */
  readonly active?: boolean
  readonly printArea?: boolean
  readonly table?: 'plain' | 'totals' | 'formula'
  readonly tables?: number
  /** The distance of a column of notes from the list: 2 leaves a gap. */
  readonly note?: 1 | 2
  readonly formulas?: boolean
  readonly styles?: boolean
  readonly sheets?: readonly [string, ...string[]]
  /** The value as a number, shown with ten digits. */
  readonly number?: boolean
}

export interface ListFile {
  readonly name: string
  readonly writer: Writer
  readonly type: CheckType
  readonly rows: readonly ListRow[]
  readonly has: Features
  /** Where a workbook gets its results. */
  readonly results: 'beside' | 'sheet'
  /** The ending of what is bought of it. */
  readonly out: 'xlsx' | 'xlsm' | 'csv' | 'txt' | 'jsonl'
  /** Of a text, in and out, as Python calls it. */
  readonly encoding: string
  readonly delimiter: string
}

export type Writer = 'office' | 'gnumeric' | 'openpyxl' | 'pandas' | 'exceljs' | 'sheetjs' | 'text'

export const HEADINGS: Readonly<Partial<Record<CheckType, string>>> = { iban: 'IBAN', 'pl-nip': 'NIP' }

/** Names that a program may take for a formula, a number or the end of a cell. */
const NAMES = ['Müller & Söhne', '-12,50', '+48 600', 'Bäcker "Korn"', 'Łódź; Sp. z o.o.', "=1+1 'x'", '007']

/** One of five values has a wrong digit; one row has none, and one a word. */
function rowsOf(type: CheckType, count: number, seed: number): readonly ListRow[] {
  return Array.from({ length: count }, (_, at) => {
    const made =
      type === 'pl-nip' ? validNip(seed + at) : validIban(['DE', 'PL', 'NL', 'FR'][at % 4], seed + at)
    const last = made.length - 1
    const valid = at % 5 !== 3
    const value = valid ? made : made.slice(0, last) + ((Number(made[last]) + 1) % 10)
    const row = { name: `${NAMES[at % NAMES.length]} ${at}`, amount: ((at * 7919) % 10_000) / 100 - 20 }
    if (at === 6) return { ...row, value: '', valid: null }
    if (at === 11) return { ...row, value: type === 'iban' ? 'brak' : '', valid: null }
    return { ...row, value, valid }
  })
}

type Given = Partial<Pick<ListFile, 'type' | 'results' | 'out' | 'encoding' | 'delimiter'>> & {
  readonly count?: number
}

let seed = 0
function file(writer: Writer, name: string, has: Features, given: Given = {}): ListFile {
  const { type = 'iban', results = 'beside', encoding = 'utf-8', delimiter = ',', count = 24 } = given
  seed += 10_000
  const all = rowsOf(type, count, seed)
  // Code page 1252 has no Polish letters, and pandas writes what begins with "=" as a formula.
  const written = (text: string) =>
    writer === 'pandas' ? text.replace('=', '') : encoding === 'cp1252' ? text.replace('Łódź', 'Lodz') : text
  const rows = all.map((row) => ({ ...row, name: written(row.name) }))
  const out = given.out ?? (name.endsWith('.xlsm') ? 'xlsm' : 'xlsx')
  return { name: `${writer}-${name}`, writer, type, rows, has, results, out, encoding, delimiter }
}

const NIP = { type: 'pl-nip' } as const
/** The CSV of a workbook has a byte order mark before letters outside ASCII. */
const MARKED = { encoding: 'utf-8-sig' } as const
const APART = { results: 'sheet' } as const

export const FILES: readonly ListFile[] = [
  file('office', 'filter.xlsx', { filter: true }),
  file('office', 'printed.xlsx', { above: 2, filter: true, printArea: true, formulas: true, styles: true }),
  file('office', 'quoted-sheet.xlsx', { sheets: ["Kunden & 'Alt', neu", 'Zweites'], printArea: true }),
  file('office', 'note-behind-gap.xlsx', { filter: true, note: 2 }),
  file('office', 'gap-without-filter.xlsx', { note: 2 }, APART),
  file('office', 'named-range.xlsx', { table: 'plain' }),
  file('office', 'sheet.ods', { filter: true, number: true }, { ...NIP, out: 'csv', ...MARKED }),
  file('office', 'windows.csv', {}, { out: 'csv', encoding: 'cp1250', delimiter: ';' }),
  file('gnumeric', 'plain.xlsx', {}),
  file('gnumeric', 'filter.xlsx', { filter: true, styles: true, formulas: true }),
  file('gnumeric', 'sheet.ods', {}, { out: 'csv', ...MARKED }),
  file('gnumeric', 'text.csv', {}, { out: 'csv' }),
  file('exceljs', 'table.xlsx', { table: 'plain', styles: true }),
  file('exceljs', 'filter.xlsx', { above: 3, filter: true, printArea: true, formulas: true }),
  file('exceljs', 'totals.xlsx', { table: 'totals' }, APART),
  file('exceljs', 'two-tables.xlsx', { tables: 2, table: 'plain' }, APART),
  file('exceljs', 'notes.xlsx', { filter: true, note: 1, styles: true, sheets: ['Liste', 'Andere'] }),
  file('sheetjs', 'plain.xlsx', {}),
  file('sheetjs', 'filter.xlsx', { filter: true, number: true }, NIP),
  file('sheetjs', 'macros.xlsm', { filter: true }),
  file('sheetjs', 'plain.ods', {}, { out: 'csv', ...MARKED }),
  file('openpyxl', 'note-beside-table.xlsx', { table: 'plain', note: 1 }, APART),
  file('openpyxl', 'formula-in-table.xlsx', { table: 'formula', printArea: true }),
  file('openpyxl', 'active-filter.xlsx', { filter: true, active: true }),
  file('openpyxl', 'large.xlsx', { filter: true, number: true, formulas: true }, { ...NIP, count: 2_000 }),
  file('openpyxl', 'styled.xlsx', { styles: true, formulas: true, sheets: ['Daten', 'Blatt 2', '2026'] }),
  file('pandas', 'index.xlsx', {}),
  file('pandas', 'frame.csv', {}, { out: 'csv' }),
  file('pandas', 'lines.jsonl', {}, { out: 'jsonl' }),
  file('text', 'datev.csv', { above: 1 }, { out: 'csv', encoding: 'cp1252', delimiter: ';' }),
  file('text', 'jpk.csv', {}, { ...NIP, out: 'csv', encoding: 'utf-8-sig', delimiter: '\t' }),
  file('text', 'sap.txt', {}, { out: 'txt', encoding: 'cp1250', delimiter: '|' }),
]

export const isWorkbook = ({ out }: ListFile): boolean => out === 'xlsx' || out === 'xlsm'

export const sourceOf = (folder: string, { name }: ListFile): string => join(folder, name)

export const resultOf = (folder: string, { name, out }: ListFile): string =>
  join(folder, `${name}.checked.${out}`)
