import { randomBytes } from 'node:crypto'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { type Hex, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { RawPayment } from '../../src/payments/ports/sale.ts'
import type { BenchChain } from './bench-chain.ts'
import type { BenchClock } from './bench-clock.ts'
import { cancelCall, type SignedTransfer, signPayment, transferCall } from './chain-payments.ts'

/** What a buyer signed, in every form a test needs it in. */
export interface BenchPayment {
  readonly payload: PaymentPayload
  readonly nonce: Hex
  /** As a header carries it. */
  readonly rawPayment: RawPayment
  /** Calldata that makes the transfer without any facilitator. */
  readonly transfer: Hex
}

export interface BenchBuyer {
  readonly address: Hex
  /** Signs the terms, or what is given in place of some of its fields. */
  sign(fields?: Partial<SignedTransfer>, paymentId?: string): Promise<BenchPayment>
  /** Calldata that cancels an authorization. */
  cancel(nonce: Hex): Promise<Hex>
}

export const rawPaymentOf = (payload: unknown): RawPayment => ({
  kind: 'text',
  text: Buffer.from(JSON.stringify(payload)).toString('base64'),
})

/** A buyer with a fresh key and the funds given. */
export async function benchBuyer(options: {
  readonly chain: BenchChain
  readonly clock: BenchClock
  readonly terms: PaymentRequirements
  readonly funds: bigint
}): Promise<BenchBuyer> {
  const account = privateKeyToAccount(generatePrivateKey())
  if (options.funds > 0n) await options.chain.fund(account.address, options.funds)
  return {
    address: account.address,
    sign: async (fields = {}, paymentId) => {
      const signed = await signPayment(account, options.terms, {
        validBefore: String(options.clock.seconds() + 120),
        nonce: toHex(randomBytes(32)),
        ...fields,
      })
      const extensions = { 'payment-identifier': { info: { required: false, id: paymentId }, schema: {} } }
      const payload = paymentId === undefined ? signed.payload : { ...signed.payload, extensions }
      return {
        payload,
        nonce: signed.transfer.nonce,
        rawPayment: rawPaymentOf(payload),
        transfer: transferCall(signed),
      }
    },
    cancel: (nonce) => cancelCall(account, nonce),
  }
}
