import type { PaymentPayload } from '@x402/core/types'

/** The same signed authorization in the envelope of x402 version 1. */
export const toVersion1 = ({ payload }: PaymentPayload) => ({
  x402Version: 1,
  scheme: 'exact',
  network: 'base',
  payload: structuredClone(payload),
})
