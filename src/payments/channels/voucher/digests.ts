import { BATCH_SETTLEMENT_DOMAIN } from '@x402/evm'
import { bytesToHex, type Hex } from 'viem'
import type { ChannelConfig } from '../../../ledger/channels/channel-row.ts'
import { keccak } from '../../authorization/keccak.ts'
import { numberWord, typedDataHashes, word } from '../../authorization/typed-data-hash.ts'
import type { Network } from '../../networks/network.ts'

export const channelDomain = ({ chainId, contracts }: Network) =>
  ({ ...BATCH_SETTLEMENT_DOMAIN, chainId, verifyingContract: contracts.channels }) as const

export interface ChannelDigests {
  /** 32 bytes, lower-case hex. */
  channelIdOf(config: ChannelConfig): Hex
  /** The 32 bytes that the payer's key signs for a voucher. */
  voucherDigest(channelId: string, amount: bigint): Uint8Array
}

export function channelDigests(network: Network): ChannelDigests {
  const hashes = typedDataHashes(channelDomain(network))
  const hashConfig = hashes(
    'ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)',
  )
  const hashVoucher = hashes('Voucher(bytes32 channelId,uint128 maxClaimableAmount)')
  return {
    channelIdOf({ payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay, salt }) {
      const addresses = [payer, payerAuthorizer, receiver, receiverAuthorizer, token].map(word).join('')
      return bytesToHex(hashConfig(addresses + numberWord(withdrawDelay) + word(salt)))
    },
    voucherDigest: (channelId, amount) => hashVoucher(word(channelId) + numberWord(amount)),
  }
}

/** The nonce of the ERC-3009 authorization that pays into a channel: 32 bytes, lower-case hex. */
export const depositNonce = (channelId: string, salt: bigint): Hex =>
  bytesToHex(keccak(Buffer.from(word(channelId) + numberWord(salt), 'hex')))
