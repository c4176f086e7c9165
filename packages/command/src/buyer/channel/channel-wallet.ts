import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { BATCH_SETTLEMENT_SCHEME, type ChannelConfig } from '@x402/evm'
import {
  computeChannelId,
  createBatchSettlementEIP3009DepositPayload,
  signVoucher,
} from '@x402/evm/batch-settlement/client'
import { type Hex, isAddress as isChecksummed, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Network } from '../../../../../src/payments/networks/network.ts'
import { DEFAULT_NETWORK } from '../../../../../src/payments/networks/networks.ts'
import { isObject } from '../../../../../src/values/json.ts'
import { isAddress, isAmount, isSignable, isUsdcOn } from '../signable-terms.ts'

export interface OwnChannel {
  readonly id: Hex
  /** The contract hashes them into the id. */
  readonly parameters: Readonly<ChannelConfig>
  readonly terms: PaymentRequirements
  /** The parts of the offer that every payment repeats (x402 version 2, 5.1.2). */
  readonly repeated: Pick<PaymentPayload, 'resource' | 'extensions'>
  /** Atomic units. */
  readonly price: bigint
  readonly minDeposit: bigint
}

export interface ChannelWallet {
  readonly address: Hex
  /** Null if the offer has no terms that this buyer accepts. */
  channelOn(required: PaymentRequired): OwnChannel | null
  /** Signs a voucher for `total`, and a deposit unless it is 0. */
  sign(channel: OwnChannel, total: bigint, deposit: bigint): Promise<PaymentPayload>
  /** `amount`: null for all that is left. */
  signRefund(channel: OwnChannel, charged: bigint, amount: bigint | null): Promise<PaymentPayload>
}

/** Fixed, so that a buyer without its book finds its channel again; other clients have other channels. */
const SALT = stringToHex('format-checker buy', { size: 32 })
/** The longest accepted wait of a payer who withdraws without the service, in seconds. */
const LONGEST_DELAY = 86_400
const X402_VERSION = 2

/** Whether an address is in lower case or has the right checksum (EIP-55); viem throws for others. */
const isChecked = (value: unknown): value is Hex => isAddress(value) && isChecksummed(value)

export function createChannelWallet(privateKey: Hex, network: Network = DEFAULT_NETWORK): ChannelWallet {
  const account = privateKeyToAccount(privateKey)
  return {
    address: account.address,
    channelOn({ accepts, resource, extensions }) {
      const offers = Array.isArray(accepts) ? accepts.filter(isObject) : []
      const terms = offers.find(
        (each) => each.scheme === BATCH_SETTLEMENT_SCHEME && isUsdcOn(network, each) && isSignable(each),
      )
      const { receiverAuthorizer, withdrawDelay, minDeposit } = terms?.extra ?? {}
      if (terms === undefined || !isChecked(receiverAuthorizer) || BigInt(receiverAuthorizer) === 0n)
        return null
      if (!isChecked(terms.payTo) || !isChecked(terms.asset) || !isAmount(terms.amount)) return null
      const delay = Number.isSafeInteger(withdrawDelay) ? Number(withdrawDelay) : -1
      if (delay < 0 || delay > LONGEST_DELAY) return null
      const parameters = {
        payer: account.address,
        payerAuthorizer: account.address,
        receiver: terms.payTo,
        receiverAuthorizer,
        token: terms.asset,
        withdrawDelay: delay,
        salt: SALT,
      }
      return {
        id: computeChannelId(parameters, terms.network),
        parameters,
        terms,
        repeated: { ...(resource && { resource }), ...(extensions && { extensions }) },
        price: BigInt(terms.amount),
        minDeposit: isAmount(minDeposit) ? BigInt(minDeposit) : 0n,
      }
    },
    async sign({ id, parameters, terms, repeated }, total, deposit) {
      const { payload } =
        deposit > 0n
          ? await createBatchSettlementEIP3009DepositPayload(
              account,
              X402_VERSION,
              terms,
              parameters,
              deposit.toString(),
              total.toString(),
            )
          : {
              payload: {
                type: 'voucher',
                channelConfig: parameters,
                voucher: await signVoucher(account, id, total.toString(), terms.network),
              },
            }
      return { x402Version: X402_VERSION, ...repeated, accepted: terms, payload: { ...payload } }
    },
    async signRefund({ id, parameters, terms, repeated }, charged, amount) {
      const voucher = await signVoucher(account, id, charged.toString(), terms.network)
      const asked = amount === null ? {} : { amount: amount.toString() }
      const payload = { type: 'refund', channelConfig: parameters, voucher, ...asked }
      return { x402Version: X402_VERSION, ...repeated, accepted: terms, payload }
    },
  }
}
