import { SAMPLE_RECORDS } from '../guess-table.ts'
import type { TableRecord } from '../input-row.ts'
import type { ZipPart } from './unzip.ts'

export interface Sheet {
  readonly name: string
  readonly part: ZipPart
  sample(): Promise<readonly TableRecord[]>
  records(): AsyncIterable<TableRecord>
}

/** A sheet costs about as much time as a thousand cells before any is read. */
const SHEET_COST = 1_000
/** Cells of a sample: wide headings are compared with each row below. */
const SAMPLE_CELLS = 16_384

export const noteSheet = ({ budget }: ZipPart): void => budget.take('cells', SHEET_COST)

/** Adds a record to a sample; returns false if it takes no more. */
export function addToSample(sample: TableRecord[], record: TableRecord, { budget }: ZipPart): boolean {
  for (const cell of record.cells) budget.keep(cell)
  sample.push(record)
  const cells = sample.length * record.cells.length
  // Each heading is compared with the cells below it, as is each record that may be the headings.
  budget.take('cells', cells / 2)
  return sample.length < SAMPLE_RECORDS && cells < SAMPLE_CELLS
}
