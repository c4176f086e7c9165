/**
 * Hashes of EIP-712 typed data whose members are single words. The domain and the types are hashed once; what is left
 * for a message is the concatenation of its words and two hashes.
 */
import {
  bytesToHex,
  encodeAbiParameters,
  type Hex,
  hexToBytes,
  parseAbiParameters,
  stringToBytes,
} from 'viem'
import { keccak } from './keccak.ts'

export interface TypedDataDomain {
  readonly name: string
  readonly version: string
  readonly chainId: number
  readonly verifyingContract: Hex
}

/** Hashes one struct type under one domain; `members` are `word`s and `numberWord`s side by side, in their order. */
export type TypedDataHash = (members: string) => Buffer

/** Hex characters of one ABI word. */
const WORD = 64

/** Hex of any length up to 32 bytes as a word. */
export const word = (hex: string): string => hex.slice(2).padStart(WORD, '0')

/** An unsigned number as a word. */
export const numberWord = (value: bigint | number): string => value.toString(16).padStart(WORD, '0')

const hashOf = (text: string): Hex => bytesToHex(keccak(stringToBytes(text)))

const DOMAIN_TYPE = hashOf(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
)
const DOMAIN_MEMBERS = parseAbiParameters('bytes32, bytes32, bytes32, uint256, address')

/** The two bytes before everything that EIP-712 has signed. */
const VERSION = Buffer.from([0x19, 0x01])

/** What a contract answers to `DOMAIN_SEPARATOR()`, 32 bytes. */
function domainSeparator({ name, version, chainId, verifyingContract }: TypedDataDomain): Uint8Array {
  const domain = [DOMAIN_TYPE, hashOf(name), hashOf(version), BigInt(chainId), verifyingContract] as const
  return keccak(hexToBytes(encodeAbiParameters(DOMAIN_MEMBERS, domain)))
}

/** Builds the hashes of a domain: `type` is the struct's, as EIP-712 encodes it. */
export function typedDataHashes(domain: TypedDataDomain): (type: string) => TypedDataHash {
  const prefix = Buffer.concat([VERSION, domainSeparator(domain)])
  return (type) => {
    const typeWord = hashOf(type).slice(2)
    return (members) => {
      const struct = keccak(Buffer.from(typeWord + members, 'hex'))
      return keccak(Buffer.concat([prefix, struct]))
    }
  }
}
