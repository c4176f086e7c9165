import {
  type ChargePromise,
  codesEnding,
  type DeclinedCode,
  ERRORS,
  type ErrorEntry,
  type UnpaidCode,
} from '../../src/errors.ts'

/** The codes that answer a call with a payment, with what they promise of it. */
export const PROMISES = Object.fromEntries(
  Object.entries(ERRORS).flatMap(([code, { promise }]: [string, ErrorEntry]) =>
    promise === undefined ? [] : [[code, promise]],
  ),
) as Readonly<Record<UnpaidCode | DeclinedCode, ChargePromise>>

/** Codes of a refused payment that is not of a channel. */
export const UNPAID_CODES = codesEnding('unpaid').filter(
  (code) => !code.startsWith('channel_'),
) as readonly UnpaidCode[]
