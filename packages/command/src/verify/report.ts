import type { KeyObject } from 'node:crypto'
import { NOT_DONE, SIGNER_UNCHECKED } from '../../../../src/command-line/exit-codes.ts'
import { printable } from '../../../../src/command-line/terminal-text.ts'
import { usdc } from '../../../../src/payments/networks/format-usdc.ts'
import {
  type Comparison,
  compareParts,
  type ReadReceipt,
  type VerifiedReceipt,
} from '../../../../src/receipts/verify-receipt.ts'
import { networkTitle } from './network-title.ts'
import type { FileComparison, ListProof } from './prove-list.ts'
import type { StatementProof } from './prove-statement.ts'
import type { TrustedKey } from './trusted-keys.ts'

export interface Report {
  readonly code: number
  readonly json: object
  readonly text: string
}

const UNCHECKED =
  'consistent; the signer was not checked. Name the service with --url, or its keys with --jwks or --key'

const UNPROVED_PAYEE = 'payee not proved: receipts of former versions do not name it'

/** `words` of the lines of a report; its values may come from anybody. */
const linesOf = (first: string, words: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(words)
    .flatMap(([name, text]) => (text === undefined ? [] : [printable(`${name.padEnd(13)}${text}`)]))
    .reduce((lines, line) => `${lines}\n${line}`, first)

const PART_IN_WORDS: Readonly<Record<Comparison, string>> = {
  matches: 'is the one of this sale',
  not_compared: 'not in the file, not compared',
}

/** Of a receipt that a key of the caller has signed: the only way to the word "genuine". */
export const genuineReceipt = (receipt: VerifiedReceipt<TrustedKey>): Report => ({
  code: 0,
  json: { genuine: true, keys: 'named', signedBy: receipt.kid, ...partsOf(receipt) },
  text: linesOf('genuine', { 'signed by': receipt.kid, ...wordsOf(receipt, PART_IN_WORDS) }),
})

/** Of a receipt whose signature was not checked. Throws `ReceiptFault` if its parts contradict each other. */
export function consistentReceipt(receipt: ReadReceipt): Report {
  const read = { ...receipt, ...compareParts(receipt) }
  return {
    code: SIGNER_UNCHECKED,
    json: {
      genuine: false,
      keys: 'own',
      signedBy: null,
      consistent: { names: receipt.kid, ...partsOf(read) },
    },
    text: linesOf(UNCHECKED, {
      names: receipt.kid,
      ...wordsOf(read, { ...PART_IN_WORDS, matches: 'is the one that the receipt was made for' }),
    }),
  }
}

type Parts = Pick<VerifiedReceipt<KeyObject>, 'payload' | 'request' | 'result' | 'kid'>

const partsOf = ({ payload, request, result }: Parts) => ({ receipt: payload, request, result })

const wordsOf = ({ payload, request, result, kid }: Parts, words: typeof PART_IN_WORDS) => ({
  'sold at': `${payload.resourceUrl}, ${new Date(payload.issuedAt * 1000).toISOString()}`,
  paid: `${usdc(payload.amount)} by ${payload.payer}`,
  to: payload.payTo ?? UNPROVED_PAYEE,
  network: networkTitle(payload.network, kid),
  transaction: payload.transaction,
  request: words[request],
  result: words[result],
})

/** Of a statement whose receipts the caller's keys have signed. `isPart`: the caller asks for what is proved alone. */
export const genuineStatement = (proof: StatementProof<TrustedKey>, isPart: boolean): Report =>
  statementReport(proof, isPart, { keys: 'named', whole: 'genuine', left: 'not proved whole' })

/** Of a statement whose receipts the keys in it have signed, which anybody could have put there. */
export const consistentStatement = (proof: StatementProof<KeyObject>, isPart: boolean): Report =>
  statementReport(proof, isPart, { keys: 'own', whole: UNCHECKED, left: `not whole, and ${UNCHECKED}` })

function statementReport(
  proof: StatementProof<KeyObject>,
  isPart: boolean,
  { keys, whole, left }: { readonly keys: 'named' | 'own'; readonly whole: string; readonly left: string },
): Report {
  const { receipts, sold, list, input, transfers, found, unproven } = proof
  const not_compared = notCompared(proof)
  const isWhole = Object.keys(not_compared).length === 0
  const code = isWhole || isPart ? (keys === 'named' ? 0 : SIGNER_UNCHECKED) : NOT_DONE
  const signedBy = [...new Set(receipts.map(({ kid }) => kid))]
  const payees = [...new Set(receipts.map(({ payload }) => payload.payTo ?? null))]
  const paid = sum([
    ...receipts.map(({ payload }) => BigInt(payload.amount)),
    ...found.map(({ amount }) => amount),
  ])
  const onChain = transfers === null ? null : transfers.length + found.length
  const networks = new Set(receipts.map(({ payload, kid }) => networkTitle(payload.network, kid)))
  const shown = {
    ...{ payments: receipts.length + found.length + unproven.length, values: sold.length },
    ...{ paid: String(paid), unproven: String(sum(unproven)), payees },
    rows: { proved: list?.proved ?? 0, left_out: list?.leftOut ?? 0, above: list?.above ?? 0 },
    ...{ columns: list?.columns ?? [], sheet: list?.sheet ?? null },
    ...{ file: list?.file ?? 'not_compared', input, onChain, not_compared },
  }
  return {
    code,
    json:
      keys === 'named'
        ? { genuine: code === 0, keys, signedBy, ...shown }
        : { genuine: false, keys, signedBy: null, consistent: { names: signedBy, ...shown } },
    text: linesOf(isWhole ? whole : code === NOT_DONE ? left : `${whole}, in part`, {
      [keys === 'named' ? 'signed by' : 'names']: signedBy.join(', '),
      network: [...networks].join(', '),
      paid: `${usdc(paid)}: ${many(receipts.length, 'receipt')}${found.length === 0 ? '' : `, ${many(found.length, 'transfer')}`}`,
      to: payees.map((payee) => payee ?? UNPROVED_PAYEE).join(', '),
      unproven:
        unproven.length === 0 ? undefined : `${usdc(sum(unproven))} in ${many(unproven.length, 'payment')}`,
      values: `${sold.length}, each with its answer in a receipt`,
      ...(list === null ? {} : wordsOfList(list)),
      input: `${FILE_IN_WORDS[input]}${input === 'not_compared' ? '; --input names it' : ''}`,
      transfers: onChain === null ? 'not looked for; --rpc-url asks a node' : `${onChain} on the chain`,
      'not compared': isWhole ? undefined : leftInWords(not_compared),
    }),
  }
}

type NotCompared = Readonly<Partial<Record<keyof typeof LEFT_IN_WORDS, number>>>

/** All that may be left out of a proof, none of it with a count of zero. */
function notCompared({
  receipts,
  sold,
  unsold,
  list,
  transfers,
  unproven,
}: StatementProof<KeyObject>): NotCompared {
  const counts = {
    payments: unproven.length,
    values: unsold + (list?.missing ?? sold.length),
    rows: list?.notCompared ?? 0,
    words: list?.reworded ?? 0,
    moved: list?.moved ?? 0,
    transfers: transfers === null ? 0 : receipts.length - transfers.length,
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}

const LEFT_IN_WORDS = {
  payments: 'without a receipt',
  values: 'that the list lacks, or that the receipt alone does not show',
  rows: 'whose value or result has no proof',
  words: 'beside proved cells (cleaned, hint, suggested, warnings) that this version would not write',
  moved: 'cells that stand elsewhere than when they were bought, or are gone',
  transfers: 'whose payee is not known',
}

const leftInWords = (left: NotCompared): string =>
  `${Object.entries(left)
    .map(([name, count]) => `${count} ${name} ${LEFT_IN_WORDS[name as keyof NotCompared]}`)
    .join('; ')}. --partial accepts the rest`

const FILE_IN_WORDS: Readonly<Record<FileComparison, string>> = {
  as_stated: 'has the SHA-256 in the statement, which no receipt covers',
  other: 'another than the statement says, in what is not a proved cell',
  not_compared: 'not compared',
}

/** Names the columns, since the statement says which they are and nothing proves that their reader looks at them. */
const wordsOfList = ({ proved, leftOut, columns, above, sheet, file }: ListProof) => ({
  rows: `${many(proved, 'cell')} with the value and the result that were sold`,
  columns: `${columns.map(({ column, results }) => [column, ...results].join(', ')).join('; ')}${sheet === null ? '' : ` of the sheet ${sheet}`}`,
  'left out': leftOut === 0 ? undefined : `${many(leftOut, 'cell')} for which nothing was sold`,
  above: above === 0 ? undefined : `${many(above, 'line')} above the headings, not compared`,
  file: FILE_IN_WORDS[file],
})

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
