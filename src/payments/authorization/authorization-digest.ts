import type { Token } from '../terms/terms.ts'
import type { Authorization } from './authorization.ts'
import { numberWord, typedDataHashes, word } from './typed-data-hash.ts'

/** The 32 bytes that the payer signs. */
export type AuthorizationDigest = (authorization: Authorization) => Uint8Array

const MEMBERS = '(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)'

/** An authorization of `ReceiveWithAuthorization` can be executed by its recipient alone (EIP-3009). */
export function authorizationDigest(
  { domain, asset }: Token,
  act: 'TransferWithAuthorization' | 'ReceiveWithAuthorization' = 'TransferWithAuthorization',
): AuthorizationDigest {
  const hash = typedDataHashes({ ...domain, verifyingContract: asset })(act + MEMBERS)
  return ({ from, to, value, validAfter, validBefore, nonce }) => {
    const window = numberWord(validAfter) + numberWord(validBefore)
    return hash(word(from) + word(to) + numberWord(value) + window + word(nonce))
  }
}
