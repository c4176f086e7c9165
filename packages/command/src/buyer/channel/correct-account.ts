import type { PaymentRequired } from '@x402/core/types'
import { BATCH_SETTLEMENT_DOMAIN, voucherTypes } from '@x402/evm'
import { type Hex, recoverTypedDataAddress } from 'viem'
import { networkOf } from '../../../../../src/payments/networks/networks.ts'
import { SIGNATURE } from '../../../../../src/values/hex.ts'
import { member, textOf } from '../json.ts'
import { isAmount } from '../signable-terms.ts'
import type { ChannelAccount, ReadChannel } from './channel-account.ts'
import type { ChannelWallet, OwnChannel } from './channel-wallet.ts'

/**
 * The account that a service names; null if the service does not prove it. Rejects with `NoNode`.
 *
 * A charged sum is proven by the payer's own signature over at least as much, or by a claim of at most what the book has
 * as signed. It must lie between what was claimed and the balance on the chain.
 */
export async function correctAccount(
  known: ChannelAccount,
  required: PaymentRequired,
  { wallet, channel, readChannel }: { wallet: ChannelWallet; channel: OwnChannel; readChannel: ReadChannel },
): Promise<ChannelAccount | null> {
  const named = wallet.channelOn(required)
  if (named === null || named.id !== channel.id) return null
  const { balance, totalClaimed } = await readChannel(channel.id)
  const charged = textOf(member(named.terms.extra, 'channelState'), 'chargedCumulativeAmount')
  const voucher = member(named.terms.extra, 'voucherState')
  const [most, signature] = [textOf(voucher, 'signedMaxClaimable'), textOf(voucher, 'signature')]
  // The service has no voucher of this channel: only what was claimed counts as charged.
  if (charged === '' && most === '')
    return totalClaimed > known.signed ? null : { ...known, balance, charged: totalClaimed, pending: null }
  if (!isAmount(charged) || !isAmount(most) || !SIGNATURE.test(signature)) return null
  const [sum, signed] = [BigInt(charged), BigInt(most)]
  if (sum > signed || sum < totalClaimed || sum > balance) return null
  if (isPart(sum, signed, known)) return null
  const { chainId, contracts } = networkOf(channel.terms.network)
  const signer = await recoverTypedDataAddress({
    domain: { ...BATCH_SETTLEMENT_DOMAIN, chainId, verifyingContract: contracts.channels },
    types: voucherTypes,
    primaryType: 'Voucher',
    message: { channelId: channel.id, maxClaimableAmount: signed },
    signature: signature as Hex,
  }).catch(() => null)
  if (signer !== wallet.address) return null
  return {
    balance,
    charged: sum,
    signed: signed > known.signed ? signed : known.signed,
    pending: null,
  }
}

/**
 * Whether the service names only a part of the pending payment as charged, with that payment's voucher as proof. A voucher
 * is charged whole or not at all. If a part were accepted, each round could sign for nearly one more price.
 */
const isPart = (sum: bigint, signed: bigint, { charged, pending }: ChannelAccount): boolean =>
  pending !== null && signed >= pending.total && sum > charged && sum < pending.total
