import { encodeAbiParameters, type Hex, keccak256, parseAbiParameters, stringToBytes } from 'viem'
import { CHAIN_ID, type Token } from '../../terms/terms.ts'
import type { ChannelPayment, Deposit } from '../voucher/decode-channel-payment.ts'
import { DEPOSIT_COLLECTOR, depositNonce } from '../voucher/digests.ts'

const DOMAIN_TYPE = keccak256(
  stringToBytes('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
)
const RECEIVE_TYPE = keccak256(
  stringToBytes(
    'ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
  ),
)
const STRUCT = parseAbiParameters('bytes32, address, address, uint256, uint256, uint256, bytes32')

/** The 32 bytes that a payer signs to move money into a channel (ERC-3009 receiveWithAuthorization). */
export function depositDigest(
  { domain, asset }: Token,
  { config, voucher }: ChannelPayment,
  { amount, validAfter, validBefore, salt }: Deposit,
): Uint8Array {
  const separator = keccak256(
    encodeAbiParameters(parseAbiParameters('bytes32, bytes32, bytes32, uint256, address'), [
      DOMAIN_TYPE,
      keccak256(stringToBytes(domain.name)),
      keccak256(stringToBytes(domain.version)),
      BigInt(CHAIN_ID),
      asset,
    ]),
  )
  const nonce = depositNonce(voucher.channelId, salt)
  const struct = keccak256(
    encodeAbiParameters(STRUCT, [
      RECEIVE_TYPE,
      config.payer as Hex,
      DEPOSIT_COLLECTOR,
      amount,
      validAfter,
      validBefore,
      nonce,
    ]),
  )
  return keccak256(Buffer.from(`1901${separator.slice(2)}${struct.slice(2)}`, 'hex'), 'bytes')
}
