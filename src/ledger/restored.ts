import type { PaymentRow } from './payment-row.ts'

/** The end of an authorization that was read from the chain: its transfer does not tell it. */
export const UNKNOWN_END = 0
/** Lease of a restored row that a buyer has claimed for a call; no process holds such a row. */
export const ADOPTED = 1

/** Whether a row was written from the chain after a restore, and no buyer has asked for its answer yet. */
export const isRestored = ({
  state,
  validBefore,
  leaseUntil,
}: Pick<PaymentRow, 'state' | 'validBefore' | 'leaseUntil'>): boolean =>
  state === 'settled' && validBefore === UNKNOWN_END && leaseUntil !== ADOPTED

/** Whether a row is written from the chain at this moment, in two steps: until the second it shows no sale. */
export const isBeingRestored = ({ state, validBefore }: Pick<PaymentRow, 'state' | 'validBefore'>): boolean =>
  state !== 'settled' && validBefore === UNKNOWN_END
