import { type ChargePromise, PROMISES } from '../../src/payments/promises.ts'
import type { Sale } from './service.ts'

/** What an answer promises about the charge of its authorization; held against the chain for the rest of a schedule. */
export const promiseOf = (sale: Sale): ChargePromise =>
  sale.kind === 'sold' ? 'charged' : PROMISES[sale.code]
