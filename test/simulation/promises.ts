import { type ChargePromise, ERRORS } from '../../src/errors.ts'
import type { Sale } from './service.ts'

/**
 * What an answer promises about the charge of its authorization; held against the chain for the rest of a schedule. A
 * verdict may be paid for by another authorization of the buyer, which its receipt names.
 */
export const promiseOf = (sale: Sale): ChargePromise =>
  sale.kind === 'sold' ? 'open' : ERRORS[sale.code].promise
