import type { PaymentRow } from '../../../ledger/payments/payment-row.ts'
import type { SignedAuthorization } from '../../authorization/authorization.ts'
import { type Keyring, sameBytes } from '../../secrets/keyring.ts'

/** Remembers a signature that a facilitator accepted, so that a repeat needs neither facilitator nor node. */
export const signatureMac = (keys: Keyring, { authorization, signature }: SignedAuthorization): Buffer =>
  keys.mac('signature', Buffer.from(authorization.from), Buffer.from(signature))

export const isSigned = (
  keys: Keyring,
  { authorization, signature }: SignedAuthorization,
  { signatureMac: accepted }: Pick<PaymentRow, 'signatureMac'>,
): boolean =>
  accepted !== null &&
  keys
    .macs('signature', Buffer.from(authorization.from), Buffer.from(signature))
    .some((mac) => sameBytes(mac, accepted))
