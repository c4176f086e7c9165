import type { Terms } from '../terms/terms.ts'
import type { SignedAuthorization } from './authorization.ts'
import { authorizationDigest } from './authorization-digest.ts'
import { fastestRecovery, type RecoverSigner } from './recover-signer.ts'

/** Order of secp256k1 and its half, as 32 bytes of lower-case hex: of one length, they compare like the numbers. */
const CURVE_ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
const HALF_ORDER = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'
const ZERO = '0'.repeat(64)
const ORDINARY_SIGNATURE_CHARACTERS = 2 + 65 * 2

/**
 * What the signature says without asking anybody.
 *
 * `recovered`: an ordinary account's signature, and it is the payer's. `other`: it is not the payer's key, which a
 * contract wallet may still accept. `out_of_form`: too short, v not 27 or 28, or s in the upper half of the order.
 */
export type SignatureVerdict = 'recovered' | 'other' | 'out_of_form'

/** Judges signatures over EIP-3009 transfer authorizations for one token. */
export function createSignatureJudge(
  terms: Terms,
  recover: RecoverSigner = fastestRecovery(),
): (signed: SignedAuthorization) => Promise<SignatureVerdict> {
  const digestOf = authorizationDigest(terms)
  return async ({ authorization, signature }) => {
    if (signature.length < ORDINARY_SIGNATURE_CHARACTERS) return 'out_of_form'
    if (signature.length > ORDINARY_SIGNATURE_CHARACTERS) return 'other'
    if (!isCanonical(signature)) return 'out_of_form'
    const signer = await recover(digestOf(authorization), Buffer.from(signature.slice(2), 'hex'))
    if (signer === null) return 'out_of_form'
    return signer === authorization.from ? 'recovered' : 'other'
  }
}

/** The token's own rule (OpenZeppelin ECRecover): r and s in range, s in the lower half, v 27 or 28. */
function isCanonical(signature: string): boolean {
  const r = signature.slice(2, 66)
  const s = signature.slice(66, 130)
  const v = signature.slice(130)
  return r > ZERO && r < CURVE_ORDER && s > ZERO && s <= HALF_ORDER && (v === '1b' || v === '1c')
}
