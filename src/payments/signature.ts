import { concatHex, encodeAbiParameters, type Hex, keccak256, parseAbiParameters, stringToBytes } from 'viem'
import { recoverAddress } from 'viem/utils'
import type { Authorization, SignedAuthorization } from './authorization.ts'
import { CHAIN_ID, type Terms } from './terms.ts'

const DOMAIN_TYPE = keccak256(
  stringToBytes('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
)
const AUTHORIZATION_TYPE = keccak256(
  stringToBytes(
    'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
  ),
)
const DOMAIN_MEMBERS = parseAbiParameters('bytes32, bytes32, bytes32, uint256, address')
const AUTHORIZATION_MEMBERS = parseAbiParameters(
  'bytes32, address, address, uint256, uint256, uint256, bytes32',
)
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const ORDINARY_SIGNATURE_CHARACTERS = 2 + 65 * 2

/**
 * What the signature says without asking anybody.
 *
 * `recovered`: an ordinary account's signature, and it is the payer's. `other`: it is not the payer's key, which a
 * contract wallet may still accept. `out_of_form`: too short, v not 27 or 28, or s in the upper half of the order.
 */
export type SignatureVerdict = 'recovered' | 'other' | 'out_of_form'

/** Judges signatures over EIP-3009 transfer authorizations for one token; the domain is hashed once. */
export function createSignatureJudge(
  terms: Terms,
): (signed: SignedAuthorization) => Promise<SignatureVerdict> {
  const domain = keccak256(
    encodeAbiParameters(DOMAIN_MEMBERS, [
      DOMAIN_TYPE,
      keccak256(stringToBytes(terms.domain.name)),
      keccak256(stringToBytes(terms.domain.version)),
      BigInt(CHAIN_ID),
      terms.asset,
    ]),
  )
  return async ({ authorization, signature }) => {
    if (signature.length < ORDINARY_SIGNATURE_CHARACTERS) return 'out_of_form'
    if (signature.length > ORDINARY_SIGNATURE_CHARACTERS) return 'other'
    if (!isCanonical(signature)) return 'out_of_form'
    const hash = keccak256(concatHex(['0x1901', domain, hashAuthorization(authorization)]))
    try {
      const signer = await recoverAddress({ hash, signature })
      return signer.toLowerCase() === authorization.from ? 'recovered' : 'other'
    } catch {
      return 'out_of_form'
    }
  }
}

function hashAuthorization({ from, to, value, validAfter, validBefore, nonce }: Authorization): Hex {
  return keccak256(
    encodeAbiParameters(AUTHORIZATION_MEMBERS, [
      AUTHORIZATION_TYPE,
      from,
      to,
      value,
      validAfter,
      validBefore,
      nonce,
    ]),
  )
}

/** The token's own rule (OpenZeppelin ECRecover): r and s in range, s in the lower half, v 27 or 28. */
function isCanonical(signature: Hex): boolean {
  const r = BigInt(`0x${signature.slice(2, 66)}`)
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.slice(130)
  return r > 0n && r < CURVE_ORDER && s > 0n && s <= CURVE_ORDER / 2n && (v === '1b' || v === '1c')
}
