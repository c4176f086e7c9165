import { parse } from 'csv-parse/sync'

const DELIMITERS = [',', ';', '\t', '|']
const SAMPLE_RECORDS = 50

/** The delimiter of a CSV by its first records; null if they have one column only. */
export function guessDelimiter(sample: string, isWhole: boolean): string | null {
  // The last record of a sample may be cut off.
  const end = isWhole ? sample.length : sample.lastIndexOf('\n') + 1
  const text = sample.slice(0, end === 0 ? sample.length : end)
  const [best] = DELIMITERS.map((delimiter) => ({ delimiter, columns: countColumns(text, delimiter) }))
    .filter(({ columns }) => columns > 1)
    .toSorted((a, b) => b.columns - a.columns)
  return best?.delimiter ?? null
}

/** Columns that every record has; 0 if the records differ. */
function countColumns(text: string, delimiter: string): number {
  try {
    const records = parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: SAMPLE_RECORDS,
    }) as string[][]
    const counts = new Set(records.map((record) => record.length))
    return counts.size === 1 ? (records[0]?.length ?? 0) : 0
  } catch {
    return 0
  }
}
