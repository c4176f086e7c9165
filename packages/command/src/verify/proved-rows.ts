import type { KeyObject } from 'node:crypto'
import { CHECK_TYPES, type Verdict } from 'format-checker-checks/verdict'
import { ownWords } from '../../../../src/lists/own-words.ts'
import {
  checkedOf,
  describeResult,
  NO_WORDS,
  RESULT_NAMES,
  resultCell,
} from '../../../../src/lists/results.ts'
import { ReceiptFault, type VerifiedReceipt } from '../../../../src/receipts/verify-receipt.ts'
import { csvLine } from '../../../../src/values/csv-line.ts'
import { isObject } from '../../../../src/values/json.ts'
import { parseStrict } from '../../../../src/values/strict-json.ts'
import { utcTime } from '../../../../src/values/utc-time.ts'

declare const PROVED: unique symbol

/** A cell of the proved list: only {@link rowsOf} makes one, of a receipt that a key has signed. */
export type ProvedRow = Readonly<Record<(typeof COLUMNS)[number], unknown>> & { readonly [PROVED]: true }

const COLUMNS = ['cell', 'type', 'value', ...RESULT_NAMES, 'payer', 'transaction', 'issuedAt'] as const

export interface ProvedFormat {
  readonly head: string
  readonly row: (row: ProvedRow) => string
}

/** Both forms are UTF-8 without a byte order mark. */
export const PROVED_FORMATS = {
  '.csv': {
    head: csvLine(COLUMNS),
    row: (row: ProvedRow) => csvLine(COLUMNS.map((name) => cellOf(row, name))),
  },
  '.jsonl': {
    head: '',
    row: (row: ProvedRow) =>
      `${JSON.stringify(Object.fromEntries(COLUMNS.map((name) => [name, row[name]])))}\n`,
  },
} as const satisfies Record<string, ProvedFormat>

const cellOf = (row: ProvedRow, name: (typeof COLUMNS)[number]): string => resultCell(name, row[name])

/**
 * The values and answers of a receipt, a row for each cell in which the statement says that a value stands, and one for a value
 * in none; null unless the receipt was compared with both. Throws {@link ReceiptFault} if they are not what a service sells.
 */
export function rowsOf(
  { request, result, payload }: VerifiedReceipt<KeyObject>,
  bytes: { readonly request: Buffer; readonly result: Buffer },
  cells: readonly (readonly number[])[],
): readonly ProvedRow[] | null {
  if (request !== 'matches' || result !== 'matches') return null
  const [asked, answered] = [parseStrict(bytes.request), parseStrict(bytes.result)]
  if (!Array.isArray(asked) || !Array.isArray(answered)) throw notSold()
  if (asked.length !== cells.length || answered.length !== cells.length) throw notSold()
  const { payer, transaction } = payload
  const paid = { payer, transaction, issuedAt: utcTime(payload.issuedAt) }
  return cells.flatMap((places, at) => {
    const [item, verdict]: unknown[] = [asked[at], answered[at]]
    if (!isItem(item) || !isVerdict(verdict)) throw notSold()
    const checked = checkedOf(verdict)
    const type = CHECK_TYPES.find((known) => known === item.type)
    const own = type === undefined ? NO_WORDS : ownWords({ type, value: item.value }, checked)
    const row = { ...item, ...describeResult(checked, own), ...paid }
    return (places.length === 0 ? [null] : places).map((cell) => ({ cell, ...row }) as unknown as ProvedRow)
  })
}

const notSold = () => new ReceiptFault('It holds other than values and an answer for each.')

const isItem = (item: unknown): item is { readonly type: string; readonly value: string } =>
  isObject(item) &&
  Object.keys(item).length === 2 &&
  typeof item.type === 'string' &&
  typeof item.value === 'string'

/** Whether an answer has the members that the columns are made of. */
function isVerdict(json: unknown): json is Verdict {
  if (!isObject(json) || !isObject(json.details)) return false
  const { valid, reason, normalized, details } = json
  const {
    code,
    hint = '',
    position = 0,
    suspects = [],
    warnings = [],
    length = {},
    bank = { name: '' },
  } = details
  return (
    typeof valid === 'boolean' &&
    isObject(length) &&
    isBank(bank) &&
    (normalized === null || typeof normalized === 'string') &&
    [reason, code, hint, ...listOf(warnings)].every((text) => typeof text === 'string') &&
    [position, ...listOf(suspects)].every((place) => typeof place === 'number' && place >= 0)
  )
}

const isBank = (bank: unknown): boolean =>
  isObject(bank) && typeof bank.name === 'string' && ['string', 'undefined'].includes(typeof bank.bic)

/** A list with null for anything else. */
const listOf = (json: unknown): readonly unknown[] => (Array.isArray(json) ? json : [null])
