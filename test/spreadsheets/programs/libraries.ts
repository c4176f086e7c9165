/** Writes and reads workbooks with libraries of the npm registry: `node libraries.ts ACT`, jobs on standard input. */
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { ListFile } from '../lists.ts'

// Named in variables because this folder's packages are absent when the product is type-checked.
const EXCELJS = 'exceljs'
const SHEETJS = 'xlsx'
const READ_EXCEL_FILE = 'read-excel-file/node'
const POPULATE = 'xlsx-populate'

type Job = ListFile & { readonly path: string; readonly heading: string }
type Cell = string | number | boolean | Date | null | undefined
type Sheets = readonly (readonly (readonly Cell[])[])[]

const NOTE = 'bitte pruefen'

const cellOf = ({ has }: Job, value: string) => (has.number && value !== '' ? Number(value) : value || null)

async function writeWithExceljs(job: Job) {
  const { Workbook } = (await import(EXCELJS)).default
  const { has, rows, heading, path } = job
  const book = new Workbook()
  const [title = 'Liste', ...others] = has.sheets ?? []
  const sheet = book.addWorksheet(title)
  for (const other of others) book.addWorksheet(other).addRow(['Notiz', 'IBAN?', 42])
  const top = (has.above ?? 0) + 1
  for (let at = 1; at < top; at += 1) sheet.getCell(at, 1).value = `Zeile ${at}`
  const lines = rows.map((row) => [row.name, cellOf(job, row.value), row.amount])
  const right = has.formulas ? 4 : 3
  const end = { row: top + rows.length, column: right }
  if (has.table)
    for (let at = 0; at < (has.tables ?? 1); at += 1)
      sheet.addTable({
        name: `Lieferanten${at + 1}`,
        ref: at === 0 ? `A${top}` : `H${top}`,
        headerRow: true,
        totalsRow: has.table === 'totals',
        columns: [
          { name: 'Name', totalsRowLabel: 'Summe', filterButton: true },
          { name: heading, filterButton: true },
          { name: 'Betrag', totalsRowFunction: 'sum' },
        ],
        rows: at === 0 ? lines : [['x', 'y', 1]],
      })
  else {
    sheet.getRow(top).values = ['Name', heading, 'Betrag', ...(has.formulas ? ['Brutto'] : [])]
    for (const [at, line] of lines.entries()) {
      const row = top + 1 + at
      sheet.getRow(row).values = line
      if (has.formulas)
        sheet.getCell(row, 4).value = { formula: `C${row}*1.19`, result: Number(line[2]) * 1.19 }
    }
  }
  if (has.filter) sheet.autoFilter = { from: { row: top, column: 1 }, to: end }
  if (has.printArea) sheet.pageSetup.printArea = `A${top}:D${end.row}`
  if (has.note !== undefined) {
    sheet.getCell(top + 2, right + has.note).value = NOTE
    sheet.getCell(top + 1, 1).note = 'ein Kommentar'
  }
  if (has.styles) {
    sheet.getRow(top).font = { bold: true }
    sheet.views = [{ state: 'frozen', xSplit: 1, ySplit: top }]
    sheet.getColumn(1).width = 30
    sheet.getCell(top + 1, 1).value = { richText: [{ font: { bold: true }, text: rows[0]?.name ?? '' }] }
    sheet.getCell(top + 2, 1).value = { text: rows[1]?.name ?? '', hyperlink: 'https://a.example/' }
  }
  await book.xlsx.writeFile(path)
}

async function writeWithSheetjs(job: Job) {
  const { utils, writeFile } = (await import(SHEETJS)).default
  const { has, rows, heading, path } = job
  const lines = rows.map((row) => [row.name, cellOf(job, row.value), row.amount])
  const sheet = utils.aoa_to_sheet([['Name', heading, 'Betrag'], ...lines])
  if (has.filter) sheet['!autofilter'] = { ref: sheet['!ref'] }
  if (has.number)
    for (const at of rows.keys()) if (sheet[`B${at + 2}`] !== undefined) sheet[`B${at + 2}`].z = '0000000000'
  const book = utils.book_new()
  utils.book_append_sheet(book, sheet, 'Liste')
  writeFile(book, path)
}

async function readWithExceljs(path: string): Promise<Sheets> {
  const { Workbook } = (await import(EXCELJS)).default
  const book = new Workbook()
  await book.xlsx.readFile(path)
  // biome-ignore lint/suspicious/noExplicitAny: a library without types here
  const plain = (value: any): Cell =>
    value?.richText?.map(({ text: part }: { text: string }) => part).join('') ??
    value?.text ??
    value?.result ??
    value
  // biome-ignore lint/suspicious/noExplicitAny: a library without types here
  return book.worksheets.map((sheet: any) =>
    // Row 0 and column 0 are empty.
    Array.from(sheet.getSheetValues() as (Cell[] | undefined)[], (row) =>
      Array.from(row ?? [])
        .slice(1)
        .map(plain),
    ).slice(1),
  )
}

async function readWithSheetjs(path: string): Promise<Sheets> {
  const { utils, read } = (await import(SHEETJS)).default
  const book = read(readFileSync(path))
  return book.SheetNames.map((name: string) =>
    utils.sheet_to_json(book.Sheets[name], { header: 1, range: spanOf(book.Sheets[name]) }),
  )
}

/** From the first cell on, also where the first rows are empty. */
const spanOf = (sheet: Record<string, string>) => (sheet['!ref'] ?? 'A1').replace(/^[A-Z]+\d+/, 'A1')

async function readWithReadExcelFile(path: string): Promise<Sheets> {
  const { default: readSheets } = await import(READ_EXCEL_FILE)
  const sheets = (await readSheets(readFileSync(path))) as { data: Cell[][] }[]
  return sheets.map(({ data }) => data)
}

async function readWithPopulate(path: string): Promise<Sheets> {
  const { fromFileAsync } = (await import(POPULATE)).default
  const book = await fromFileAsync(path)
  // biome-ignore lint/suspicious/noExplicitAny: a library without types here
  return book.sheets().map((sheet: any) => {
    const last = sheet.usedRange()?.endCell()
    if (last === undefined) return []
    // biome-ignore lint/suspicious/noExplicitAny: a library without types here
    const plain = (value: any): Cell => (typeof value?.text === 'function' ? value.text() : value)
    const rows: Cell[][] = sheet.range(1, 1, last.rowNumber(), last.columnNumber()).value()
    return rows.map((row) => row.map(plain))
  })
}

// biome-ignore lint/suspicious/noExplicitAny: each takes jobs of its own
const ACTS: Readonly<Record<string, (job: any) => Promise<unknown>>> = {
  exceljs: writeWithExceljs,
  sheetjs: writeWithSheetjs,
  read_exceljs: readWithExceljs,
  read_sheetjs: readWithSheetjs,
  read_read_excel_file: readWithReadExcelFile,
  read_xlsx_populate: readWithPopulate,
}

const act = ACTS[process.argv[2] ?? '']
if (act === undefined) throw new Error('no such act')
const done: unknown[] = []
for (const job of JSON.parse(await text(process.stdin)))
  try {
    done.push(await act(job))
  } catch (error) {
    if (typeof job !== 'string') throw error
    // A file that the library cannot read.
    console.error(`${job}: ${error}`)
    done.push(null)
  }
process.stdout.write(JSON.stringify(done))
