import type { Quote, Sale, Unpaid } from '../ports/sale.ts'
import type { PurchasedCall } from './purchase/purchased-call.ts'
import type { Turn } from './single-flight.ts'

export interface Scheme {
  /** Whether a payment names this scheme; it may still be malformed. */
  takes(json: unknown): boolean
  /** Without the ledger. */
  read(call: PurchasedCall, quote: Quote, json: unknown): Promise<ReadPayment | Unpaid>
}

/** A payment that may be sold to: `late` answers a copy that waited too long. */
export interface ReadPayment extends Turn {
  run(): Promise<Sale>
  late(): Promise<Sale>
}
