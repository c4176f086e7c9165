import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { type Hex, toHex } from 'viem'
import { getAddress } from 'viem/utils'
import type { ChannelConfig } from '../../../ledger/channels/channel-row.ts'
import type { ChannelPayment, Deposit, Voucher } from '../voucher/decode-channel-payment.ts'

export const wireConfig = (config: ChannelConfig) => ({
  payer: getAddress(config.payer as Hex),
  payerAuthorizer: getAddress(config.payerAuthorizer as Hex),
  receiver: getAddress(config.receiver as Hex),
  receiverAuthorizer: getAddress(config.receiverAuthorizer as Hex),
  token: getAddress(config.token as Hex),
  withdrawDelay: config.withdrawDelay,
  salt: config.salt as Hex,
})

export const wireVoucher = ({ channelId, amount, signature }: Voucher) => ({
  channelId,
  maxClaimableAmount: amount.toString(),
  signature,
})

/** Rebuilt from parsed members: nothing else that the client sent is passed on. */
export function depositPayload(
  { config, voucher }: ChannelPayment,
  { amount, validAfter, validBefore, salt, signature }: Deposit,
  accepted: PaymentRequirements,
): PaymentPayload {
  const erc3009Authorization = {
    validAfter: validAfter.toString(),
    validBefore: validBefore.toString(),
    salt: toHex(salt, { size: 32 }),
    signature,
  }
  return {
    x402Version: 2,
    accepted,
    payload: {
      type: 'deposit',
      channelConfig: wireConfig(config),
      voucher: wireVoucher(voucher),
      deposit: { amount: amount.toString(), authorization: { erc3009Authorization } },
    },
  }
}
