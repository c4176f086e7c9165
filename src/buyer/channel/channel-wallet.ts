import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { BATCH_SETTLEMENT_SCHEME, type ChannelConfig } from '@x402/evm'
import {
  computeChannelId,
  createBatchSettlementEIP3009DepositPayload,
  signVoucher,
} from '@x402/evm/batch-settlement/client'
import { type Hex, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { isObject } from '../../json.ts'
import type { Network } from '../../payments/networks/network.ts'
import { DEFAULT_NETWORK } from '../../payments/networks/networks.ts'
import { isAddress, isAmount, isSignable, isUsdcOn } from '../signable-terms.ts'

export interface OwnChannel {
  readonly id: Hex
  /** What the contract hashes into the id. */
  readonly parameters: Readonly<ChannelConfig>
  readonly terms: PaymentRequirements
  /** What every payment repeats of the offer (x402 version 2, 5.1.2), as the stock client does. */
  readonly repeated: Pick<PaymentPayload, 'resource' | 'extensions'>
  /** Atomic units. */
  readonly price: bigint
  readonly minDeposit: bigint
}

export interface ChannelWallet {
  readonly address: Hex
  /** The channel on the terms of an offer; null if it offers none that this buyer opens. */
  channelOn(required: PaymentRequired): OwnChannel | null
  /** Signs a voucher for the sum of all prices, and a deposit if it is not 0; nothing is sent. */
  sign(channel: OwnChannel, total: bigint, deposit: bigint): Promise<PaymentPayload>
  /** Signs a request for money back: `amount`, or all that is left. */
  signRefund(channel: OwnChannel, charged: bigint, amount: bigint | null): Promise<PaymentPayload>
}

/** The same for all runs, so that a buyer without its file finds its channel again; not the one of other clients. */
const SALT = stringToHex('format-checker buy', { size: 32 })
/** Seconds a payer waits for its money if the service does not help: a longer delay is not accepted. */
const LONGEST_DELAY = 86_400
const NO_KEY = /^0x0{40}$/

/** A wallet of one private key, which opens channels on one network. */
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
      if (terms === undefined || !isAddress(receiverAuthorizer) || NO_KEY.test(receiverAuthorizer))
        return null
      if (!isAddress(terms.payTo) || !isAddress(terms.asset) || !isAmount(terms.amount)) return null
      if (!Number.isSafeInteger(withdrawDelay) || Number(withdrawDelay) > LONGEST_DELAY) return null
      const parameters = {
        payer: account.address,
        payerAuthorizer: account.address,
        receiver: terms.payTo,
        receiverAuthorizer,
        token: terms.asset,
        withdrawDelay: Number(withdrawDelay),
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
              2,
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
      return { x402Version: 2, ...repeated, accepted: terms, payload: { ...payload } }
    },
    async signRefund({ id, parameters, terms, repeated }, charged, amount) {
      const voucher = await signVoucher(account, id, charged.toString(), terms.network)
      const asked = amount === null ? {} : { amount: amount.toString() }
      const payload = { type: 'refund', channelConfig: parameters, voucher, ...asked }
      return { x402Version: 2, ...repeated, accepted: terms, payload }
    },
  }
}
