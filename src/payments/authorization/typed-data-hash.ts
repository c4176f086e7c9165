/** Hashes of EIP-712 typed data whose members are single words. */
import type { Hex } from 'viem'
import { keccak } from './keccak.ts'

export interface TypedDataDomain {
  readonly name: string
  readonly version: string
  readonly chainId: number
  readonly verifyingContract: Hex
}

/** `members`: `word`s and `numberWord`s in their order, joined without a separator. */
export type TypedDataHash = (members: string) => Buffer

/** Length of an ABI word, in hex characters. */
const WORD = 64

/** Without `0x`. */
export const word = (hex: string): string => hex.slice(2).padStart(WORD, '0')

export const numberWord = (value: bigint | number): string => value.toString(16).padStart(WORD, '0')

const hashOf = (text: string): string => keccak(Buffer.from(text)).toString('hex')

const DOMAIN_TYPE = hashOf(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
)

/** The first bytes of everything that is signed under EIP-712. */
const VERSION = Buffer.from([0x19, 0x01])

/** 32 bytes, as a contract answers `DOMAIN_SEPARATOR()`. */
function domainSeparator({ name, version, chainId, verifyingContract }: TypedDataDomain): Uint8Array {
  const members = hashOf(name) + hashOf(version) + numberWord(chainId) + word(verifyingContract)
  return keccak(Buffer.from(DOMAIN_TYPE + members, 'hex'))
}

/** Domain and types are hashed once, so a message costs two hashes. `type` is encoded as EIP-712 asks. */
export function typedDataHashes(domain: TypedDataDomain): (type: string) => TypedDataHash {
  const prefix = Buffer.concat([VERSION, domainSeparator(domain)])
  return (type) => {
    const typeHash = hashOf(type)
    return (members) => {
      const struct = keccak(Buffer.from(typeHash + members, 'hex'))
      return keccak(Buffer.concat([prefix, struct]))
    }
  }
}
