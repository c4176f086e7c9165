import type { Hex } from 'viem'
import type { ChannelConfig } from '../../../ledger/channels/channel-row.ts'
import { ADDRESS, SIGNATURE, WORD } from '../../../values/hex.ts'
import { isObject } from '../../../values/json.ts'
import { CHANNEL_SCHEME } from '../../terms/channel-terms.ts'

export interface Voucher {
  readonly channelId: Hex
  readonly amount: bigint
  readonly signature: Hex
}

/** An ERC-3009 authorization; its nonce follows from the channel and the salt. */
export interface Deposit {
  readonly amount: bigint
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly salt: bigint
  readonly signature: Hex
}

/** A decoded payment over a channel; members that the client sent beside these are dropped. */
export interface ChannelPayment {
  readonly network: string
  readonly kind: 'voucher' | 'deposit' | 'refund'
  readonly config: ChannelConfig
  readonly voucher: Voucher
  readonly deposit?: Deposit
  /** The amount that a refund asks for; null for all that is left. */
  readonly refund: bigint | null
  readonly accepted: { readonly amount: string }
}

/** The signature of a wallet contract may be long. */
const LONG_SIGNATURE = /^0x(?:[0-9a-fA-F]{2}){65,4096}$/
const UINT128 = /^[0-9]{1,39}$/
const SALT = /^(?:0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/
const MOST_UINT128 = 2n ** 128n - 1n
const MOST_DELAY = 2 ** 40 - 1

/** The payment may still be malformed. */
export const isChannelPayment = (json: unknown): boolean =>
  isObject(json) && isObject(json.accepted) && json.accepted.scheme === CHANNEL_SCHEME

/** Null if the payment is malformed, or for another network (CAIP-2). */
export function decodeChannelPayment(json: unknown, network: string): ChannelPayment | null {
  if (!isObject(json)) return null
  const { x402Version, accepted, payload } = json
  if (x402Version !== 2 || !isObject(accepted) || !isObject(payload)) return null
  if (accepted.network !== network || typeof accepted.amount !== 'string') return null
  const config = readConfig(payload.channelConfig)
  const voucher = readVoucher(payload.voucher)
  if (config === null || voucher === null) return null
  const common = { network, config, voucher, accepted: { amount: accepted.amount }, refund: null }
  switch (payload.type) {
    case 'voucher':
      return { kind: 'voucher', ...common }
    case 'deposit': {
      const deposit = readDeposit(payload.deposit)
      return deposit === null ? null : { kind: 'deposit', ...common, deposit }
    }
    case 'refund': {
      const refund = readAmount(payload.amount)
      if (payload.amount !== undefined && (refund === null || refund === 0n)) return null
      return { kind: 'refund', ...common, refund }
    }
    default:
      return null
  }
}

function readConfig(json: unknown): ChannelConfig | null {
  if (!isObject(json)) return null
  const { payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay, salt } = json
  const addresses = [payer, payerAuthorizer, receiver, receiverAuthorizer, token]
  if (!addresses.every((address) => typeof address === 'string' && ADDRESS.test(address))) return null
  if (!Number.isSafeInteger(withdrawDelay) || (withdrawDelay as number) < 0) return null
  if ((withdrawDelay as number) > MOST_DELAY || typeof salt !== 'string' || !WORD.test(salt)) return null
  const lower = (address: unknown) => (address as string).toLowerCase()
  return {
    payer: lower(payer),
    payerAuthorizer: lower(payerAuthorizer),
    receiver: lower(receiver),
    receiverAuthorizer: lower(receiverAuthorizer),
    token: lower(token),
    withdrawDelay: withdrawDelay as number,
    salt: lower(salt),
  }
}

function readVoucher(json: unknown): Voucher | null {
  if (!isObject(json)) return null
  const { channelId, maxClaimableAmount, signature } = json
  const amount = readAmount(maxClaimableAmount)
  if (amount === null || typeof channelId !== 'string' || !WORD.test(channelId)) return null
  if (typeof signature !== 'string' || !SIGNATURE.test(signature)) return null
  return { channelId: channelId.toLowerCase() as Hex, amount, signature: signature.toLowerCase() as Hex }
}

function readDeposit(json: unknown): Deposit | null {
  if (!isObject(json) || !isObject(json.authorization)) return null
  const authorization = json.authorization.erc3009Authorization
  const amount = readAmount(json.amount)
  if (!isObject(authorization) || amount === null) return null
  const validAfter = readAmount(authorization.validAfter)
  const validBefore = readAmount(authorization.validBefore)
  const { salt, signature } = authorization
  if (validAfter === null || validBefore === null || typeof salt !== 'string' || !SALT.test(salt)) return null
  if (typeof signature !== 'string' || !LONG_SIGNATURE.test(signature)) return null
  const value = BigInt(salt)
  if (value >= 2n ** 256n) return null
  return { amount, validAfter, validBefore, salt: value, signature: signature.toLowerCase() as Hex }
}

function readAmount(value: unknown): bigint | null {
  if (typeof value !== 'string' || !UINT128.test(value)) return null
  const amount = BigInt(value)
  return amount > MOST_UINT128 ? null : amount
}
