import type { KeyObject } from 'node:crypto'
import { SIGNER_UNCHECKED } from '../../../../src/command-line/exit-codes.ts'
import { printable } from '../../../../src/command-line/terminal-text.ts'
import { usdc } from '../../../../src/payments/networks/format-usdc.ts'
import {
  type Comparison,
  compareParts,
  type ReadReceipt,
  type VerifiedReceipt,
} from '../../../../src/receipts/verify-receipt.ts'
import { utcTime } from '../../../../src/values/utc-time.ts'
import { networkTitle } from '../statement/network-title.ts'
import type { TrustedKey } from './trusted-keys.ts'

export interface Report {
  readonly code: number
  readonly json: object
  readonly text: string
}

export const UNCHECKED =
  'consistent; the signer was not checked. Name the service with --url, or its keys with --jwks or --key'

/** `words` of the lines of a report; its values may come from anybody. */
export const linesOf = (first: string, words: Readonly<Record<string, string | undefined>>): string =>
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
  'sold at': `${payload.resourceUrl}, ${utcTime(payload.issuedAt)}`,
  paid: `${usdc(payload.amount)} by ${payload.payer}`,
  to: payload.payTo,
  network: networkTitle(payload.network, kid),
  transaction: payload.transaction,
  request: words[request],
  result: words[result],
})
