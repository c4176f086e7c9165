import { x402Client } from '@x402/core/client'
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Network } from '../../../../src/payments/networks/network.ts'
import { DEFAULT_NETWORK } from '../../../../src/payments/networks/networks.ts'

export interface Wallet {
  /** Signs an EIP-3009 authorization for these terms of an offer. */
  sign(required: PaymentRequired, terms: PaymentRequirements): Promise<PaymentPayload>
}

export function createWallet(privateKey: Hex, network: Network = DEFAULT_NETWORK): Wallet {
  const client = new x402Client()
    .register(network.id, new ExactEvmScheme(privateKeyToAccount(privateKey)))
    // The library's own limit is a dollar, which the price of a list may pass; the caller has limits of its own.
    .setSpendControls(false)
  return {
    sign: (required, terms) => client.createPaymentPayload({ ...required, accepts: [terms] }),
  }
}
