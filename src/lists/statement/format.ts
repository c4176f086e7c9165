import type { CheckType } from 'format-checker-checks/verdict'

export const STATEMENT_FORMAT = 'format-checker-statement/2'

/** For the buyer alone: it holds the values, and the salts of their hashes. The grammar is in docs/receipts.md. */
export interface Statement {
  readonly format: typeof STATEMENT_FORMAT
  readonly private: typeof PRIVATE
  readonly service: string
  /** ISO 8601, UTC. */
  readonly finishedAt: string
  readonly input: NamedFile
  readonly output: NamedFile
  /** For the printed page; nothing of it is verified. */
  readonly list: {
    readonly columns: readonly StatementColumn[]
    readonly sheet: string | null
    /** Cells for which nothing was bought, by code. */
    readonly leftOut: Readonly<Record<string, number>>
  }
  /** The DID document of the service, with its public keys; null if it was not to be had. */
  readonly keys: unknown
  readonly payments: readonly StatementPayment[]
}

export const PRIVATE =
  'Keep this file to yourself: it holds the values, and the salts that tie the receipts to them.'

export interface NamedFile {
  readonly file: string
  /** In hex; null of a file that was not read to its end, or not written. */
  readonly sha256: string | null
}

export interface StatementColumn {
  readonly type: CheckType
  /** Heading, or number from 1; null in a list without headings. */
  readonly column: string | null
}

export type StatementPayment = PaidPayment | LostPayment

interface Payment {
  /** Atomic units, by the terms. */
  readonly amount: string
  /** Where each value stands: all its cells in the checked columns, counted from 1, row by row. */
  readonly cells: readonly (readonly number[])[]
}

export interface PaidPayment extends Payment {
  readonly payTo: string
  /** The settlement response with its receipt and the salt. */
  readonly settlement: unknown
  /** What was asked, as the receipt's hash covers it: JSON, gzipped, base64. */
  readonly request: string
  /** The results as the service sent them, in the same form. */
  readonly results: string
}

export interface LostPayment extends Payment {
  readonly payTo: string | null
  /** Finds it on the chain; null if the payment says too little of itself. */
  readonly authorization: Authorization | null
}

export interface Authorization {
  readonly network: string
  readonly payer: string
  readonly nonce: string
  /** UTC seconds. */
  readonly validBefore: number
}

export const isPaid = (payment: StatementPayment): payment is PaidPayment => 'settlement' in payment
