import type { KeyObject } from 'node:crypto'
import { createPublicClient, http, isAddressEqual, parseEventLogs } from 'viem'
import { CHECK_TYPES, type Verdict } from '../../../../src/checks/verdict.ts'
import { printable } from '../../../../src/command-line/terminal-text.ts'
import { ENCODINGS } from '../../../../src/lists/decode-text.ts'
import { checkedOf, resultCells } from '../../../../src/lists/results.ts'
import { usdc } from '../../../../src/payments/networks/format-usdc.ts'
import { networkOf } from '../../../../src/payments/networks/networks.ts'
import { TOKEN_ABI } from '../../../../src/payments/networks/token-abi.ts'
import {
  type ReadReceipt,
  ReceiptFault,
  readReceipt,
  verifyReceipt,
} from '../../../../src/receipts/verify-receipt.ts'
import { member, textOf } from '../buyer/json.ts'
import { isAmount } from '../buyer/signable-terms.ts'
import { type CheckedList, compareRows, readRows } from '../list/checked-list.ts'
import { unpackResults } from '../list/pack-results.ts'
import { STATEMENT_FORMAT, type Statement, type StatementPayment } from '../list/statement.ts'

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
  /** The keys that signed, by their DID URLs. */
  readonly signedBy: readonly string[]
  readonly payments: number
  readonly values: number
  readonly paid: string
  /** Payments whose answer never arrived, so that no receipt proves them. */
  readonly answersLost: number
  /** `in_part`: some payments bought values that the list no longer has. */
  readonly list: 'matches' | 'in_part' | 'not_compared'
  /** Payments whose transfer is on the chain; null if no node was asked. */
  readonly onChain: number | null
}

/** Proves a statement: signatures, hashes against the rows of the list, and the transfers. Throws {@link ReceiptFault}. */
export async function verifyStatement(
  statement: Statement,
  options: StatementOptions,
): Promise<VerifiedStatement> {
  const { payments } = statement
  if (!isWhole(statement)) throw new ReceiptFault('The statement is not whole.')
  const list = await readRows(statement, options)
  const sold = new Map<string, string>()
  const receipts = new Set<string>()
  const signedBy = new Set<string>()
  const transfers = new Set<string>()
  let [paid, values, lost, isComplete] = [0n, 0, 0, true]
  for (const [at, payment] of payments.entries()) {
    try {
      if (!isAmount(payment.amount)) throw new ReceiptFault('It has no amount.')
      paid += BigInt(payment.amount)
      if (payment.settlement === null) {
        lost += 1
        continue
      }
      const { receipt, results } = await verifyPayment(payment, statement, list, options)
      if (receipts.has(receipt.signature)) throw new ReceiptFault('It is the receipt of another payment too.')
      receipts.add(receipt.signature)
      signedBy.add(receipt.kid)
      values += payment.rows.length
      for (const place of payment.rows.keys()) {
        const cell = list?.cells.get(placeOf(payment, place))
        if (cell === undefined) isComplete = false
        else
          sold.set(
            `${cell.type}\n${cell.value}`,
            list?.printOf(resultCells(checkedOf(results[place] as Verdict), null)) ?? '',
          )
      }
      if (options.rpcUrl !== null)
        transfers.add(await findTransfer(options.rpcUrl, receipt.payload, payment, transfers))
    } catch (error) {
      if (error instanceof ReceiptFault) throw new ReceiptFault(`Payment ${at + 1}: ${error.message}`)
      throw new ReceiptFault(`Payment ${at + 1} of the statement cannot be read.`)
    }
  }
  if (receipts.size === 0) throw new ReceiptFault('The statement has no receipt, so nothing of it is proved.')
  if (list !== null) compareRows(list, sold)
  return {
    genuine: true,
    signedBy: [...signedBy],
    payments: payments.length,
    values,
    paid: String(paid),
    answersLost: lost,
    list: list === null ? 'not_compared' : isComplete ? 'matches' : 'in_part',
    onChain: options.rpcUrl === null ? null : transfers.size,
  }
}

/** Whether the parts that say how to read the list are there: anybody may have written the file. */
function isWhole({ payments, type, list, others = [] }: Statement): boolean {
  const { file, column, encoding, sheet } = member(list)
  return (
    Array.isArray(payments) &&
    Array.isArray(others) &&
    CHECK_TYPES.includes(type) &&
    others.every((each) => CHECK_TYPES.some((known) => known === member(each).type) && isText(each.column)) &&
    isText(file) &&
    [column, sheet].every((name) => name === null || isText(name)) &&
    (encoding === null || ENCODINGS.some((name) => name === encoding))
  )
}

const isText = (value: unknown): value is string => typeof value === 'string'

const placeOf = ({ rows, columns }: StatementPayment, at: number): string =>
  `${rows[at]} ${columns === undefined ? 1 : columns[at]}`

const LIST_IN_WORDS = {
  matches: 'its rows are the ones that were sold',
  in_part: 'its rows are the ones that were sold; values that it no longer has were not compared',
  not_compared: 'not found, not compared',
} as const

/** The author of a statement may have put other keys into it than those of the service. */
export const describeStatement = (
  { signedBy, payments, values, paid, answersLost, list, onChain }: VerifiedStatement,
  areKeysOwn: boolean,
): string =>
  [
    'genuine',
    ...signedBy.map((kid) => `signed by    ${printable(kid)}`),
    ...(areKeysOwn ? ['keys         those in the statement; --jwks takes kept ones of the service'] : []),
    `paid         ${usdc(paid)} in ${payments} payment${payments === 1 ? '' : 's'}`,
    `values       ${values}, each answer signed by the service`,
    ...(answersLost === 0 ? [] : [`lost         the answers of ${answersLost} of these payments`]),
    `list         ${LIST_IN_WORDS[list]}`,
    `transfers    ${onChain === null ? 'not looked for; --rpc-url asks a node' : `${onChain} on the chain`}`,
  ].join('\n')

async function verifyPayment(
  payment: StatementPayment,
  { keys }: Statement,
  list: CheckedList | null,
  { keyFor }: StatementOptions,
) {
  const { settlement, rows, amount } = payment
  const results = unpackResults(payment.results ?? '') as readonly Verdict[]
  if (!Array.isArray(results) || results.length !== rows.length)
    throw new ReceiptFault('It has other rows than results.')
  const isCompared = list !== null && !rows.includes(null)
  const request = rows.map((_, at) => {
    const { type, value = '' } = list?.cells.get(placeOf(payment, at)) ?? {}
    return { type, value }
  })
  const receipt = readReceipt({ receipt: settlement, result: results, ...(isCompared ? { request } : {}) })
  verifyReceipt(receipt, await keyFor(receipt, keys))
  if (receipt.payload.amount !== amount) throw new ReceiptFault('The receipt is for another amount.')
  return { receipt, results }
}

/** Asks a node for the transfer of a payment, which no other payment has `taken`; returns its place on the chain. */
async function findTransfer(
  rpcUrl: string,
  { transaction, payer, amount, network }: ReadReceipt['payload'],
  { payTo }: StatementPayment,
  taken: ReadonlySet<string>,
): Promise<string> {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: 10_000, retryCount: 2 }) })
  const found = await client.getTransactionReceipt({ hash: transaction as `0x${string}` }).catch(() => null)
  if (found === null) throw new ReceiptFault('The node does not know its transaction.')
  const transfers = parseEventLogs({ abi: TOKEN_ABI, eventName: 'Transfer', logs: found.logs })
  const transfer = transfers.find(
    ({ address, args, logIndex }) =>
      isAddressEqual(address, networkOf(network).token.address) &&
      isAddressEqual(args.from, payer as `0x${string}`) &&
      (payTo === null || isAddressEqual(args.to, payTo as `0x${string}`)) &&
      args.value === BigInt(amount) &&
      !taken.has(`${transaction} ${logIndex}`),
  )
  if (found.status !== 'success' || transfer === undefined)
    throw new ReceiptFault('Its transaction holds no such transfer.')
  return `${transaction} ${transfer.logIndex}`
}
