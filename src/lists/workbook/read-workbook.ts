import { joined } from '../first-bytes.ts'
import { findHeadings, headedBy, SAMPLE_RECORDS } from '../guess-table.ts'
import type { InputRow, ListInput, ReadListOptions, TableRecord } from '../input-row.ts'
import { ListFault } from '../list-fault.ts'
import { rowsOf, tableOf } from '../table-rows.ts'
import { odsSheets } from './ods.ts'
import { readZip, type ZipPart } from './unzip.ts'
import { type Sheet, xlsxSheets } from './xlsx.ts'

const MOST_BYTES = 256 * 1024 * 1024
const MOST_CELLS = 32_000_000

/** Reads the sheet of an .xlsx, .xlsm or .ods file that was named, or the one that has the column. */
export async function readWorkbook(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadListOptions,
): Promise<ListInput> {
  const { check, column } = options
  const workbook = await collect(bytes)
  const sheets = await sheetsOf(workbook)
  const isHeaded = headedBy(check, column)
  const bounded = bound()
  const candidates: {
    readonly sheet: Sheet
    readonly sample: readonly TableRecord[]
    readonly at: number
  }[] = []
  for (const sheet of chosen(sheets, options.sheet)) {
    const sample = await firstOf(bounded(sheet.records()))
    if (sample.length > 0) candidates.push({ sheet, sample, at: findHeadings(sample, isHeaded) })
  }
  const headed = candidates.filter(({ at }) => at >= 0)
  const [found, ...others] = headed.length > 0 ? headed : candidates
  if (others.length > 0)
    throw sheetFault(
      'say which sheet to check',
      candidates.map(({ sheet }) => sheet.name),
    )
  const common = { format: 'workbook', encoding: null, delimiter: ',', workbook } as const
  if (found === undefined) {
    const none = { above: { text: '', lines: 0 }, header: ['value'], isNamed: true, headerLine: 1 }
    return { ...common, ...none, columns: [{ index: 0, type: check.id }], sheet: null, rows: noRows() }
  }
  const { sheet, sample } = found
  const start = Math.max(found.at, 0)
  const first = sample[start] as TableRecord
  const table = tableOf(first, sample.slice(start + 1), options)
  const { header, isNamed, columns } = table
  const above = { text: '', lines: isNamed ? start : 0 }
  const rows = rowsOf(bounded(sheet.records()), table.rowOf, start + (isNamed ? 1 : 0))
  return { ...common, above, header, isNamed, columns, headerLine: first.line, sheet: sheet.name, rows }
}

/** Wide rows take little of the file and much memory, the samples of all sheets too. */
function bound() {
  let cells = 0
  return async function* bounded(records: AsyncIterable<TableRecord>): AsyncGenerator<TableRecord> {
    for await (const record of records) {
      cells += record.cells.length
      if (cells > MOST_CELLS)
        throw new ListFault('the sheet has more than 32 million cells; save it as "CSV UTF-8"')
      yield record
    }
  }
}

async function* noRows(): AsyncGenerator<InputRow> {}

async function collect(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MOST_BYTES)
      throw new ListFault('the workbook is larger than 256 MB; save the sheet as "CSV UTF-8"')
  }
  return joined(chunks)
}

async function sheetsOf(bytes: Uint8Array<ArrayBuffer>): Promise<readonly Sheet[]> {
  const parts = new Map<string, ZipPart>(readZip(bytes).map((part) => [part.name, part]))
  const content = parts.get('content.xml')
  if (parts.has('xl/workbook.xml')) return xlsxSheets((name) => parts.get(name))
  if (content !== undefined) return odsSheets(content)
  throw new ListFault('the list is an archive, and no workbook (.xlsx or .ods)')
}

/** The sheet that was named, or numbered from 1; all if none was. */
function chosen(sheets: readonly Sheet[], wanted: string | undefined): readonly Sheet[] {
  if (wanted === undefined) return sheets
  const sheet =
    sheets.find(({ name }) => name === wanted) ??
    sheets[/^[1-9]\d{0,2}$/.test(wanted) ? Number(wanted) - 1 : -1]
  if (sheet !== undefined) return [sheet]
  throw sheetFault(
    'no sheet is that',
    sheets.map(({ name }) => name),
  )
}

const sheetFault = (words: string, names: readonly string[]): ListFault =>
  new ListFault(`${words} with --sheet: the workbook has ${names.join(', ')}`, { option: 'sheet', of: names })

async function firstOf(all: AsyncIterable<TableRecord>): Promise<readonly TableRecord[]> {
  const records: TableRecord[] = []
  for await (const record of all) if (records.push(record) === SAMPLE_RECORDS) break
  return records
}
