import { encodeAbiParameters, type Hex, keccak256, parseAbiParameters, stringToBytes } from 'viem'
import type { ChannelConfig } from '../../../ledger/channel-store.ts'
import { CHAIN_ID } from '../../terms/terms.ts'

/** The settlement contract and its ERC-3009 deposit collector: the same on every chain. */
export const SETTLEMENT: Hex = '0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003'
export const DEPOSIT_COLLECTOR: Hex = '0x4020806089470a89826cB9fB1f4059150b550004'

const hashOf = (text: string): Hex => keccak256(stringToBytes(text))

const DOMAIN_TYPE = hashOf(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
)
const CONFIG_TYPE = hashOf(
  'ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)',
)
const VOUCHER_TYPE = hashOf('Voucher(bytes32 channelId,uint128 maxClaimableAmount)')
const SEPARATOR = keccak256(
  encodeAbiParameters(parseAbiParameters('bytes32, bytes32, bytes32, uint256, address'), [
    DOMAIN_TYPE,
    hashOf('x402 Batch Settlement'),
    hashOf('1'),
    BigInt(CHAIN_ID),
    SETTLEMENT,
  ]),
)
const PREFIX = `1901${SEPARATOR.slice(2)}`
/** Hex characters of one ABI word. */
const WORD = 64

const word = (hex: string) => hex.slice(2).padStart(WORD, '0')
const number = (value: bigint | number) => value.toString(16).padStart(WORD, '0')

/** The EIP-712 hash of a struct whose members are single words. */
function digest(type: Hex, members: string): Uint8Array {
  const struct = keccak256(Buffer.from(type.slice(2) + members, 'hex')).slice(2)
  return keccak256(Buffer.from(PREFIX + struct, 'hex'), 'bytes')
}

/** The id of a channel: 32 bytes, lower-case hex. */
export function channelIdOf(config: ChannelConfig): Hex {
  const { payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay, salt } = config
  const addresses = [payer, payerAuthorizer, receiver, receiverAuthorizer, token].map(word).join('')
  return `0x${Buffer.from(digest(CONFIG_TYPE, addresses + number(withdrawDelay) + word(salt))).toString('hex')}`
}

/** The 32 bytes that the payer's key signs for a voucher. */
export const voucherDigest = (channelId: string, amount: bigint): Uint8Array =>
  digest(VOUCHER_TYPE, word(channelId) + number(amount))

/** The nonce of the ERC-3009 authorization that pays into a channel: 32 bytes, lower-case hex. */
export const depositNonce = (channelId: string, salt: bigint): Hex =>
  keccak256(Buffer.from(word(channelId) + number(salt), 'hex'))
