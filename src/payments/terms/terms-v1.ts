import type { PaymentRequired, SettleResponse } from '@x402/core/types'
import { networkOf } from '../networks/networks.ts'

export const networkV1 = (id: string): string => networkOf(id).v1Name

export interface PaymentRequirementsV1 {
  readonly scheme: string
  readonly network: string
  readonly maxAmountRequired: string
  readonly resource: string
  readonly description: string
  readonly mimeType: string
  /** The shape of request and answer. Never null, because version 1 clients refuse that. */
  readonly outputSchema: Readonly<Record<string, unknown>>
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly asset: string
  readonly extra: Readonly<Record<string, unknown>>
}

export interface PaymentRequiredV1 {
  readonly x402Version: 1
  readonly error: string
  readonly accepts: readonly PaymentRequirementsV1[]
}

/**
 * The same offer in version 1; it asks for the same EIP-3009 authorization.
 *
 * Source: x402 version 1, "PaymentRequirements"; `x402-fetch` 1.2 parses each member.
 */
export function paymentRequiredV1(
  required: PaymentRequired,
  outputSchema: Readonly<Record<string, unknown>> = {},
): PaymentRequiredV1 {
  const { error = '', resource, accepts } = required
  return {
    x402Version: 1,
    error,
    accepts: accepts
      // Version 1 knows no payment channels.
      .filter(({ scheme }) => scheme === 'exact')
      .map(({ scheme, network, amount, payTo, maxTimeoutSeconds, asset, extra }) => ({
        scheme,
        network: networkV1(network),
        maxAmountRequired: amount,
        resource: resource?.url ?? '',
        description: resource?.description ?? '',
        mimeType: resource?.mimeType ?? '',
        outputSchema,
        payTo,
        maxTimeoutSeconds,
        asset,
        extra: extra ?? {},
      })),
  }
}

export function receiptHeaderV1({ extensions: _signed, ...receipt }: SettleResponse): string {
  return Buffer.from(JSON.stringify({ ...receipt, network: networkV1(receipt.network) })).toString('base64')
}
