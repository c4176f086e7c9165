import { extname } from 'node:path'
import type { InputFormat } from '../../../../src/lists/input-row.ts'
import type { OutputFormat } from '../../../../src/lists/write-rows.ts'

/** `as_list`: as the list is, which may be known only when it is read. */
export type WantedFormat = OutputFormat | 'workbook' | 'as_list'

/** A text file without another format is what its list is: never a table for people. */
export const formatOf = (wanted: WantedFormat, { format }: { readonly format: InputFormat }) =>
  wanted !== 'as_list' ? wanted : format === 'jsonl' ? 'jsonl' : 'csv'

const suffixOf = (path: string): string => extname(path).toLowerCase()

/** By the ending of the list; undefined where its text decides. */
export const inputFormat = (file: string): InputFormat | undefined => INPUT_BY_SUFFIX[suffixOf(file)]

const INPUT_BY_SUFFIX: Readonly<Record<string, InputFormat>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
}

const OUTPUT_BY_SUFFIX: Readonly<Record<string, WantedFormat>> = {
  ...INPUT_BY_SUFFIX,
  '.txt': 'as_list',
  '.xlsx': 'workbook',
  '.xlsm': 'workbook',
  '.ods': 'workbook',
}

/** By the option, else by the ending of the output. */
export function outputFormat(
  { format, json }: { readonly format: string | undefined; readonly json: boolean },
  out: string | null,
): WantedFormat {
  if (format !== undefined) return format as OutputFormat
  if (out !== null) return OUTPUT_BY_SUFFIX[suffixOf(out)] ?? 'csv'
  if (json) return 'jsonl'
  return process.stdout.isTTY ? 'table' : 'csv'
}
