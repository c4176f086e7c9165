import type { Token } from '../terms/terms.ts'
import type { SignedAuthorization } from './authorization.ts'
import { authorizationDigest } from './authorization-digest.ts'
import { fastestRecovery, type RecoverSigner } from './recover-signer.ts'

/**
 * Order of secp256k1 and half of it, as 32 bytes of lower-case hex; at the same length, text compares like the
 * numbers.
 */
const CURVE_ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
const HALF_ORDER = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'
const ZERO = '0'.repeat(64)
/** 0x, then r, s and v in hex. */
export const ORDINARY_SIGNATURE_CHARACTERS = 2 + 65 * 2

/**
 * `recovered`: the payer's own key signed. `other`: another key signed, which a contract wallet may accept.
 * `out_of_form`: too short, v not 27 or 28, or s in the upper half of the order.
 */
export type SignatureVerdict = 'recovered' | 'other' | 'out_of_form'

export type SignatureJudge = (
  signed: SignedAuthorization & { readonly token: Token },
) => Promise<SignatureVerdict>

export function createSignatureJudge(
  ours: Token,
  recover: RecoverSigner = fastestRecovery(),
): SignatureJudge {
  const ourDigest = authorizationDigest(ours)
  return async ({ authorization, signature, token }) => {
    if (signature.length < ORDINARY_SIGNATURE_CHARACTERS) return 'out_of_form'
    if (signature.length > ORDINARY_SIGNATURE_CHARACTERS) return 'other'
    if (!isCanonical(signature)) return 'out_of_form'
    const digestOf = isSameToken(token, ours) ? ourDigest : authorizationDigest(token)
    const signer = await recover(digestOf(authorization), Buffer.from(signature.slice(2), 'hex'))
    if (signer === null) return 'out_of_form'
    return signer === authorization.from ? 'recovered' : 'other'
  }
}

const isSameToken = (one: Token, other: Token): boolean =>
  one.asset === other.asset &&
  one.domain.name === other.domain.name &&
  one.domain.version === other.domain.version

/** The token's own rule (OpenZeppelin ECRecover): r and s in range, s in the lower half, v 27 or 28. */
export function isCanonical(signature: string): boolean {
  const r = signature.slice(2, 66)
  const s = signature.slice(66, 130)
  const v = signature.slice(130)
  return r > ZERO && r < CURVE_ORDER && s > ZERO && s <= HALF_ORDER && (v === '1b' || v === '1c')
}
