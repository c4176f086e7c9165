import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { PRIVATE, STATEMENT_FORMAT, type Statement } from '../../../../src/lists/statement/format.ts'
import { ReceiptFault } from '../../../../src/receipts/verify-receipt.ts'
import { ADDRESS, WORD } from '../../../../src/values/hex.ts'
import { isObject } from '../../../../src/values/json.ts'

export const isStatement = (json: unknown): boolean => isObject(json) && json.format === STATEMENT_FORMAT

type Is = (value: unknown) => boolean

const isText: Is = (value) => typeof value === 'string'
const orNull =
  (is: Is): Is =>
  (value) =>
    value === null || is(value)
const matching =
  (pattern: RegExp): Is =>
  (value) =>
    typeof value === 'string' && pattern.test(value)
const listOf =
  (is: Is, least = 0): Is =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.every((each) => is(each))
const isNumber: Is = (value) => Number.isSafeInteger(value) && Number(value) > 0

/** Whether an object has these members and no other. */
const shaped =
  (members: Readonly<Record<string, Is>>): Is =>
  (value) =>
    isObject(value) &&
    Object.keys(value).length === Object.keys(members).length &&
    Object.entries(members).every(([name, is]) => Object.hasOwn(value, name) && is(value[name]))

const isFile = shaped({ file: isText, sha256: orNull(matching(/^[0-9a-f]{64}$/)) })
const isColumn = shaped({
  type: (type) => CHECK_TYPES.some((known) => known === type),
  column: orNull(isText),
})
const isCounts: Is = (value) => isObject(value) && Object.values(value).every((count) => isNumber(count))
/** The cells of a value rise. */
const isCells: Is = (cells) =>
  listOf(isNumber)(cells) && (cells as number[]).every((cell, at, all) => cell > (all[at - 1] ?? 0))

/** Atomic units without leading zeros. */
const isAmount = matching(/^(?:0|[1-9]\d{0,77})$/)
export const isAuthorization = shaped({
  network: isText,
  payer: matching(ADDRESS),
  nonce: matching(WORD),
  validBefore: isNumber,
})

const EVERY = { amount: isAmount, cells: listOf(isCells, 1) }
const isPaidPayment = shaped({
  ...EVERY,
  ...{ payTo: matching(ADDRESS), settlement: isObject, request: isText, results: isText },
})
const isLostPayment = shaped({
  ...EVERY,
  ...{ payTo: orNull(matching(ADDRESS)), authorization: orNull(isAuthorization) },
})

const isWhole = shaped({
  ...{ format: (format) => format === STATEMENT_FORMAT, private: (words) => words === PRIVATE },
  ...{ service: isText, finishedAt: isText, input: isFile, output: isFile },
  list: shaped({ columns: listOf(isColumn, 1), sheet: orNull(isText), leftOut: isCounts }),
  keys: orNull(isObject),
  payments: listOf((payment) => isPaidPayment(payment) || isLostPayment(payment), 1),
})

/** Throws {@link ReceiptFault} unless each member is of the grammar in docs/receipts.md. */
export function readStatement(json: unknown): Statement {
  if (!isWhole(json)) throw new ReceiptFault('The statement has not the members of its format.')
  const statement = json as Statement
  const taken = new Set<number>()
  for (const { cells } of statement.payments)
    for (const cell of cells.flat()) {
      if (taken.has(cell)) throw new ReceiptFault('Two values of the statement stand in one cell.')
      taken.add(cell)
    }
  return statement
}
