import type { Budget } from '../budget.ts'
import { joined } from '../first-bytes.ts'
import { findHeadings, headedBy } from '../guess-table.ts'
import type { InputRow, ListInput, ReadListOptions, TableRecord } from '../input-row.ts'
import { ListFault } from '../list-fault.ts'
import { rowsOf, tableOf } from '../table-rows.ts'
import { odsSheets } from './ods.ts'
import type { Sheet } from './sheet.ts'
import { readZip, type ZipPart } from './unzip.ts'
import { xlsxSheets } from './xlsx.ts'

/** Reads the sheet of an .xlsx, .xlsm or .ods file that was named, or the one that has the column. */
export async function readWorkbook(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadListOptions,
  budget: Budget,
): Promise<ListInput> {
  const { check, column } = options
  const workbook = await collect(bytes, budget, options.size)
  const sheets = await sheetsOf(workbook, budget)
  const isHeaded = headedBy(check, column)
  const candidates: {
    readonly sheet: Sheet
    readonly sample: readonly TableRecord[]
    readonly at: number
  }[] = []
  for (const sheet of chosen(sheets, options.sheet)) {
    const sample = await sheet.sample()
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
  const table = tableOf(first, sample.slice(start + 1), { ...options, isWorkbook: true })
  const { header, isNamed, columns } = table
  const above = { text: '', lines: isNamed ? start : 0 }
  const rows = rowsOf(sheet.records(), table.rowOf, start + (isNamed ? 1 : 0))
  return {
    ...common,
    above,
    header,
    isNamed,
    columns,
    headerLine: first.line,
    sheet: sheet.name,
    doubts: table.doubts,
    rows,
  }
}

async function* noRows(): AsyncGenerator<InputRow> {}

/** `known` is the size of the file, so that it is in memory once. */
async function collect(
  bytes: AsyncIterable<Uint8Array>,
  budget: Budget,
  known: number | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  budget.take('held', known ?? 0)
  const all = new Uint8Array(known ?? 0)
  let size = 0
  for await (const chunk of bytes) {
    if (chunks.length === 0 && size + chunk.length <= all.length) {
      all.set(chunk, size)
      size += chunk.length
    } else {
      budget.take('held', chunk.length)
      chunks.push(chunk)
    }
  }
  const first = all.subarray(0, size)
  return chunks.length === 0 ? first : joined([first, ...chunks])
}

async function sheetsOf(bytes: Uint8Array<ArrayBuffer>, budget: Budget): Promise<readonly Sheet[]> {
  const parts = new Map<string, ZipPart>(readZip(bytes, budget).map((part) => [part.name, part]))
  const content = parts.get('content.xml')
  if (parts.has('xl/workbook.xml')) return xlsxSheets((name) => parts.get(name), budget)
  if (content !== undefined) return odsSheets(content)
  throw new ListFault('the list is an archive, and no workbook (.xlsx or .ods)')
}

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
