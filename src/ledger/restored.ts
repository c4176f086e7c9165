import type { PaymentRow } from './payment-row.ts'

/** `validBefore` of a payment restored from the chain: the transfer does not tell it. */
export const UNKNOWN_END = 0
/** `leaseUntil` of a restored row that a buyer has claimed for a call; no process holds such a row. */
export const ADOPTED = 1

/** True for a settled row written from the chain after a restore, before its buyer has claimed it for a call. */
export const isRestored = ({
  state,
  validBefore,
  leaseUntil,
}: Pick<PaymentRow, 'state' | 'validBefore' | 'leaseUntil'>): boolean =>
  state === 'settled' && validBefore === UNKNOWN_END && leaseUntil !== ADOPTED

/** True between the two writes of a restore; the second one makes the row a sale. */
export const isBeingRestored = ({ state, validBefore }: Pick<PaymentRow, 'state' | 'validBefore'>): boolean =>
  state !== 'settled' && validBefore === UNKNOWN_END
