import { CHECK_TYPES } from '../../../../src/checks/verdict.ts'
import { ENCODINGS, type EncodingName } from '../../../../src/lists/decode-text.ts'
import {
  isResultHeading,
  RESULT_FORMATS,
  RESULT_NAMES,
  resultColumns,
} from '../../../../src/lists/results.ts'
import { ReceiptFault } from '../../../../src/receipts/verify-receipt.ts'
import { WORD } from '../../../../src/values/hex.ts'
import { member, textOf } from '../buyer/json.ts'
import { isAddress, isAmount } from '../buyer/signable-terms.ts'
import type { ListColumn } from '../list/open-list-file.ts'
import { STATEMENT_FORMAT } from '../list/statement.ts'

/** Its values are in the list alone, and of the cells of a value it names the first. */
const FORMER_FORMAT = 'format-checker-statement/1'

export const isStatement = (json: unknown): boolean =>
  [STATEMENT_FORMAT, FORMER_FORMAT].includes(textOf(member(json), 'format'))

/** A statement whose parts have the types that they must have; nothing in it is proved. */
export interface ReadStatement {
  readonly columns: readonly [ListColumn, ...ListColumn[]]
  readonly keys: unknown
  /** Of the file that was bought, in hex; null if the statement does not say. */
  readonly inputSha256: string | null
  readonly list: {
    /** A plain name, beside the statement. */
    readonly file: string
    /** In hex; null in former statements. */
    readonly sha256: string | null
    readonly encoding: EncodingName | null
    readonly sheet: string | null
    /** Where the results are; null in a list without results. */
    readonly results: ReadResults | null
  }
  readonly payments: readonly ReadPayment[]
}

export interface ReadResults {
  /** The columns of a result, in order. */
  readonly names: readonly string[]
  readonly headings: readonly string[] | null
  readonly behind: number
}

export interface ReadPayment {
  readonly amount: bigint
  readonly payTo: string | null
  /** Null if the answer was lost. */
  readonly settlement: unknown
  readonly authorization: Authorization | null
  /** Packed; null in former statements. */
  readonly request: string | null
  readonly results: string
  /** The cells of the list that each value stands in, from 1, row by row. */
  readonly cells: readonly (readonly number[])[]
  readonly namesAllCells: boolean
}

/** Finds a payment on the chain. */
export interface Authorization {
  readonly network: string
  readonly payer: string
  readonly nonce: string
  /** UTC seconds. */
  readonly validBefore: number
}

/** Throws {@link ReceiptFault}: anybody may have written the file. */
export function readStatement(json: unknown): ReadStatement {
  const { format, type, others = [], keys = null, payments } = member(json)
  const isFormer = format === FORMER_FORMAT
  const list = member(member(json).list)
  const named = isFormer ? list : member(json, list.of === 'input' ? 'input' : 'output')
  const { file, sha256 = null } = named
  const { encoding, sheet } = list
  const { sha256: read = null } = member(json, 'input')
  const columns = isFormer ? [{ type, column: list.column }, ...listOf(others)] : listOf(list.columns)
  const isKnown = encoding === null || ENCODINGS.some((name) => name === encoding)
  if (!isFileName(file) || !isTextOrNull(sha256) || !isTextOrNull(sheet) || !isKnown) throw notWhole()
  if (columns.length === 0 || !isTextOrNull(read)) throw notWhole()
  const checked = columns.map(readColumn) as unknown as ReadStatement['columns']
  return {
    columns: checked,
    keys,
    inputSha256: read,
    list: {
      ...{ file, sha256, sheet, encoding: encoding as EncodingName | null },
      results: isFormer ? formerResults(checked) : readResults(list.results, checked),
    },
    payments: listOf(payments).map((payment) => readPayment(payment, isFormer ? columns.length : null)),
  }
}

const notWhole = () => new ReceiptFault('The statement is not whole.')

const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value)

/** No path that leads away from the folder of the statement. */
const isFileName = (file: unknown): file is string => isText(file) && !/^\.{0,2}$|[/\\\0]/.test(file)

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw notWhole()
}

/** Only the first column may have no name: its heading says its type. */
function readColumn(given: unknown, at: number): ListColumn {
  const { type: wanted, column } = member(given)
  const type = CHECK_TYPES.find((known) => known === wanted)
  if (type !== undefined && isText(column)) return { type, column }
  if (type !== undefined && at === 0 && column === null) return { type }
  throw notWhole()
}

/** A former statement names no headings: those of a list that had none of these names before it was bought. */
const formerResults = (columns: ReadStatement['columns']): ReadResults => ({
  names: RESULT_FORMATS['format-checker-results/1'] ?? [],
  headings: resultColumns([], columns).filter(
    (_, at) => RESULT_NAMES[at % RESULT_NAMES.length] !== 'cleaned',
  ),
  behind: 0,
})

function readResults(given: unknown, columns: ReadStatement['columns']): ReadResults | null {
  if (given === null) return null
  const { format, headings, behind } = member(given)
  const names = Object.entries(RESULT_FORMATS).find(([name]) => name === format)?.[1]
  const isKnown = (heading: unknown, at: number) =>
    names !== undefined &&
    isText(heading) &&
    isResultHeading(heading, names[at % names.length] ?? '', columns, Math.floor(at / names.length))
  // Under any other heading the results of a list would not be those that its reader sees.
  if (names === undefined || (headings !== null && !listOf(headings).every(isKnown)))
    throw new ReceiptFault('The results of the list are in columns that this version does not know.')
  if (!Number.isSafeInteger(behind)) throw notWhole()
  return { names, headings: headings as readonly string[] | null, behind: behind as number }
}

/** `width`: of a former statement, whose rows and columns become cells. */
function readPayment(given: unknown, width: number | null): ReadPayment {
  const { amount, payTo, settlement, request = null, rows, columns, authorization } = member(given)
  const cells = width === null ? member(given).cells : formerCells(rows, columns, width)
  if (!isAmount(amount) || !isTextOrNull(payTo) || !isTextOrNull(request) || !areCells(cells))
    throw notWhole()
  return {
    ...{ amount: BigInt(amount), payTo, settlement, request, cells, namesAllCells: width === null },
    results: textOf(member(given), 'results'),
    authorization: isAuthorization(authorization) ? authorization : null,
  }
}

const formerCells = (rows: unknown, columns: unknown, width: number): unknown =>
  listOf(rows).map((row, at) =>
    row === null ? [] : [(Number(row) - 1) * width + Number(columns === undefined ? 1 : listOf(columns)[at])],
  )

/** The cells of each value rise. */
const areCells = (cells: unknown): cells is ReadPayment['cells'] =>
  listOf(cells).every((each) =>
    listOf(each).every(
      (cell, at, all) => Number.isSafeInteger(cell) && Number(cell) > Number(all[at - 1] ?? 0),
    ),
  )

export function isAuthorization(given: unknown): given is Authorization {
  const { network, payer, nonce, validBefore } = member(given)
  return (
    isText(network) &&
    isAddress(payer) &&
    isText(nonce) &&
    WORD.test(nonce) &&
    Number.isSafeInteger(validBefore)
  )
}
