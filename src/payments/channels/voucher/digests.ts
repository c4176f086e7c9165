import { bytesToHex, type Hex } from 'viem'
import type { ChannelConfig } from '../../../ledger/channel-store.ts'
import { keccak } from '../../authorization/keccak.ts'
import { numberWord, typedDataHashes, word } from '../../authorization/typed-data-hash.ts'
import { SETTLEMENT } from '../../chain/channel-contracts.ts'

/** The EIP-712 domain of the settlement contract; the chain is the service's. */
export const SETTLEMENT_DOMAIN = {
  name: 'x402 Batch Settlement',
  version: '1',
  verifyingContract: SETTLEMENT,
} as const

const hashes = typedDataHashes(SETTLEMENT_DOMAIN)
const hashConfig = hashes(
  'ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)',
)
const hashVoucher = hashes('Voucher(bytes32 channelId,uint128 maxClaimableAmount)')

/** The id of a channel: 32 bytes, lower-case hex. */
export function channelIdOf(config: ChannelConfig): Hex {
  const { payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay, salt } = config
  const addresses = [payer, payerAuthorizer, receiver, receiverAuthorizer, token].map(word).join('')
  return bytesToHex(hashConfig(addresses + numberWord(withdrawDelay) + word(salt)))
}

/** The 32 bytes that the payer's key signs for a voucher. */
export const voucherDigest = (channelId: string, amount: bigint): Uint8Array =>
  hashVoucher(word(channelId) + numberWord(amount))

/** The nonce of the ERC-3009 authorization that pays into a channel: 32 bytes, lower-case hex. */
export const depositNonce = (channelId: string, salt: bigint): Hex =>
  bytesToHex(keccak(Buffer.from(word(channelId) + numberWord(salt), 'hex')))
