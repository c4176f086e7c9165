import type { KeyObject } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createPublicClient, http, isAddressEqual, parseEventLogs } from 'viem'
import { member, textOf } from '../buyer/json.ts'
import { CHECK_TYPES, type CheckType, type Verdict } from '../checks/verdict.ts'
import type { EncodingName } from '../lists/decode-text.ts'
import { readRow } from '../lists/read-cell.ts'
import { resultColumns } from '../lists/results.ts'
import { TOKEN_ABI } from '../payments/chain/token-abi.ts'
import { USDC } from '../payments/chain/usdc.ts'
import {
  type ReadReceipt,
  ReceiptFault,
  readReceipt,
  verifyReceipt,
} from '../payments/extensions/verify-receipt.ts'
import { openList } from './list/open-list-file.ts'
import { unpackResults } from './list/pack-results.ts'
import { STATEMENT_FORMAT, type Statement, type StatementPayment } from './list/statement.ts'
import { usdc } from './usdc.ts'

export const isStatement = (json: unknown): json is Statement =>
  textOf(member(json), 'format') === STATEMENT_FORMAT

export interface StatementOptions {
  /** Path of the statement, beside which the list is looked for. */
  readonly path: string
  /** Path of the list; null for the one that the statement names. */
  readonly list: string | null
  /** A node that is asked for the transfers; null to stay offline. */
  readonly rpcUrl: string | null
  /** The key of a receipt; the statement's own keys unless others are given. */
  readonly keyFor: (receipt: ReadReceipt, keys: unknown) => Promise<KeyObject>
}

/** What was proved. Amounts are atomic units as text. */
export interface VerifiedStatement {
  readonly genuine: true
  readonly payments: number
  readonly values: number
  readonly paid: string
  /** Payments whose answer never arrived: paid by the buyer's own books only. */
  readonly answersLost: number
  readonly list: 'matches' | 'not_compared'
  readonly transfers: 'on_chain' | 'not_asked'
}

/** Proves a statement: signatures, hashes against the rows of the list, and the transfers. Throws {@link ReceiptFault}. */
export async function verifyStatement(
  statement: Statement,
  options: StatementOptions,
): Promise<VerifiedStatement> {
  const { payments, type } = statement
  if (!Array.isArray(payments) || !CHECK_TYPES.includes(type))
    throw new ReceiptFault('The statement is not whole.')
  const rows = await readRows(statement, options)
  const seen = new Set<string>()
  const sold = new Map<string, string>()
  let [paid, values, lost] = [0n, 0, 0]
  for (const [at, payment] of payments.entries()) {
    try {
      paid += BigInt(payment.amount)
      if (payment.settlement === null) {
        lost += 1
        continue
      }
      const { payload, signature, results } = await verifyPayment(
        ...([payment, type, rows, statement.keys, options] as const),
      )
      for (const [index, row] of payment.rows.entries()) {
        const value = rows?.get(row)?.value
        const result = results[index]
        if (value !== undefined && result !== undefined)
          sold.set(value, verdictOf(result.valid, result.details.code))
      }
      if (seen.has(signature)) throw new ReceiptFault('It is the receipt of another payment too.')
      seen.add(signature)
      values += payment.rows.length
      if (options.rpcUrl !== null && payload.transaction !== '')
        await verifyTransfer(options.rpcUrl, payload, payment)
    } catch (error) {
      if (error instanceof ReceiptFault) throw new ReceiptFault(`Payment ${at + 1}: ${error.message}`)
      throw new ReceiptFault(`Payment ${at + 1} of the statement cannot be read.`)
    }
  }
  for (const [row, { value, verdict }] of rows ?? [])
    if (verdict !== undefined && verdict !== (sold.get(value) ?? ''))
      throw new ReceiptFault(`Row ${row} of the list has another verdict than was sold.`)
  return {
    genuine: true,
    payments: payments.length,
    values,
    paid: String(paid),
    answersLost: lost,
    list: rows === null ? 'not_compared' : 'matches',
    transfers: options.rpcUrl === null ? 'not_asked' : 'on_chain',
  }
}

export const describeStatement = ({
  payments,
  values,
  paid,
  answersLost,
  list,
  transfers,
}: VerifiedStatement): string =>
  [
    'genuine',
    `paid         ${usdc(paid)} in ${payments} payment${payments === 1 ? '' : 's'}`,
    `values       ${values}, each answer signed by the service`,
    ...(answersLost === 0 ? [] : [`lost         the answers of ${answersLost} of these payments`]),
    `list         ${list === 'matches' ? 'its rows are the ones that were sold' : 'not found, not compared'}`,
    `transfers    ${transfers === 'on_chain' ? 'each is on the chain' : 'not looked for; --rpc-url asks a node'}`,
  ].join('\n')

interface ListRow {
  readonly value: string
  /** Of {@link verdictOf}, empty where nothing was sold; undefined in a list without results. */
  readonly verdict: string | undefined
}

const verdictOf = (valid: unknown, code: string | undefined) => `${valid} ${code}`

/** The values of the list by row, from 1, with the verdicts beside them; null without the list. */
async function readRows(
  { list, type }: Statement,
  options: StatementOptions,
): Promise<ReadonlyMap<number, ListRow> | null> {
  const path = options.list ?? join(dirname(options.path), list.file)
  if (options.list === null && !existsSync(path)) return null
  const input = await openList(path, type, {
    column: list.column,
    encoding: (list.encoding as EncodingName | null) ?? undefined,
  })
  // The results are behind the columns of the list, the code second.
  const names = resultColumns([])
  const codeAt = input.header.findLastIndex((name) => /^code(_\d+)?$/.test(name))
  const hasResults = codeAt > 0 && input.header.length >= names.length
  const rows = new Map<number, ListRow>()
  let number = 0
  for await (const row of input.rows) {
    number += 1
    const cell = readRow(row)
    if (!cell.ok) continue
    // A spreadsheet writes TRUE.
    const valid = row.cells[codeAt - 1]?.toLowerCase()
    const told = valid === '' ? '' : verdictOf(valid, row.cells[codeAt])
    rows.set(number, { value: cell.value, verdict: hasResults ? told : undefined })
  }
  return rows
}

async function verifyPayment(
  { settlement, results: packed, rows, amount }: StatementPayment,
  type: CheckType,
  list: ReadonlyMap<number, ListRow> | null,
  keys: unknown,
  { keyFor }: StatementOptions,
) {
  const results = unpackResults(packed ?? '') as readonly Verdict[]
  if (!Array.isArray(results) || results.length !== rows.length)
    throw new ReceiptFault('It has other rows than results.')
  const request = list === null ? undefined : rows.map((row) => ({ type, value: list.get(row)?.value ?? '' }))
  const receipt = readReceipt({
    receipt: settlement,
    result: results,
    ...(request === undefined ? {} : { request }),
  })
  verifyReceipt(receipt, await keyFor(receipt, keys))
  if (receipt.payload.amount !== amount) throw new ReceiptFault('The receipt is for another amount.')
  return { ...receipt, results }
}

/** Asks a node for the transfer of a payment. */
async function verifyTransfer(
  rpcUrl: string,
  { transaction, payer, amount }: ReadReceipt['payload'],
  { payTo }: StatementPayment,
): Promise<void> {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: 10_000, retryCount: 2 }) })
  const found = await client.getTransactionReceipt({ hash: transaction as `0x${string}` }).catch(() => null)
  if (found === null) throw new ReceiptFault('The node does not know its transaction.')
  const transfers = parseEventLogs({ abi: TOKEN_ABI, eventName: 'Transfer', logs: found.logs })
  const isThere = transfers.some(
    ({ address, args }) =>
      isAddressEqual(address, USDC) &&
      isAddressEqual(args.from, payer as `0x${string}`) &&
      (payTo === null || isAddressEqual(args.to, payTo as `0x${string}`)) &&
      args.value === BigInt(amount),
  )
  if (found.status !== 'success' || !isThere)
    throw new ReceiptFault('Its transaction holds no such transfer.')
}
