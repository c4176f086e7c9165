import { encodeAbiParameters, type Hex, keccak256, parseAbiParameters, stringToBytes } from 'viem'
import { CHAIN_ID, type Token } from '../terms/terms.ts'
import type { Authorization } from './authorization.ts'

/** The 32 bytes that the payer of an authorization signs. */
export type AuthorizationDigest = (authorization: Authorization) => Uint8Array

const DOMAIN_TYPE = keccak256(
  stringToBytes('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
)
const AUTHORIZATION_TYPE = keccak256(
  stringToBytes(
    'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
  ),
)
const DOMAIN_MEMBERS = parseAbiParameters('bytes32, bytes32, bytes32, uint256, address')
/** Hex characters of one ABI word. */
const WORD = 64

/**
 * Hashes EIP-3009 transfer authorizations of one token by EIP-712; the domain is hashed once.
 *
 * The struct has members of fixed size only, so its encoding is seven words side by side.
 */
export function authorizationDigest({ domain, asset }: Token): AuthorizationDigest {
  const separator = keccak256(
    encodeAbiParameters(DOMAIN_MEMBERS, [
      DOMAIN_TYPE,
      keccak256(stringToBytes(domain.name)),
      keccak256(stringToBytes(domain.version)),
      BigInt(CHAIN_ID),
      asset,
    ]),
  )
  const typeWord = AUTHORIZATION_TYPE.slice(2)
  const prefix = `1901${separator.slice(2)}`
  return ({ from, to, value, validAfter, validBefore, nonce }) => {
    const members =
      hexWord(from) + hexWord(to) + number(value) + number(validAfter) + number(validBefore) + hexWord(nonce)
    const struct = keccak256(Buffer.from(typeWord + members, 'hex')).slice(2)
    return keccak256(Buffer.from(prefix + struct, 'hex'), 'bytes')
  }
}

const hexWord = (hex: Hex) => hex.slice(2).padStart(WORD, '0')
const number = (value: bigint) => value.toString(16).padStart(WORD, '0')
