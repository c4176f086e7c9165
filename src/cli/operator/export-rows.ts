import { csvLine } from '../../values/csv-line.ts'

export type ExportFormat = 'csv' | 'json'

/** Resolves when there is room for more. */
export type Write = (text: string) => Promise<void>

type Fields = Readonly<Record<string, string | number>>

/**
 * CSV with headings, or one JSON object with the rows under `name` and the members of `total`, which is called after
 * the last row.
 */
export async function exportRows(
  {
    name,
    columns,
    rows,
    total = () => ({}),
  }: {
    readonly name: string
    readonly columns: readonly string[]
    readonly rows: Iterable<Fields> | AsyncIterable<Fields>
    readonly total?: () => object
  },
  format: ExportFormat,
  write: Write,
): Promise<void> {
  let separator = '\n'
  await write(format === 'csv' ? csvLine(columns) : `{${JSON.stringify(name)}:[`)
  for await (const row of rows) {
    const fields = columns.map((column) => row[column] ?? '')
    await write(format === 'csv' ? csvLine(fields) : `${separator}${JSON.stringify(row)}`)
    separator = ',\n'
  }
  const rest = JSON.stringify(total()).slice(1, -1)
  if (format === 'json') await write(`\n]${rest === '' ? '' : `,${rest}`}}\n`)
}
