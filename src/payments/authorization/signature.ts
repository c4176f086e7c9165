import type { Hex } from 'viem'
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
const COMPACT_SIGNATURE_CHARACTERS = 2 + 64 * 2
/** 27 and 28, in hex. */
const V_OF_PARITY = ['1b', '1c'] as const

/**
 * `recovered`: by the payer's own key, in the token's form. `other`: by another key, which a contract wallet may
 * accept; its bytes are as they came. `out_of_form`: neither the payer's key nor a contract wallet has made it.
 */
export type JudgedSignature =
  | { readonly kind: 'recovered' | 'other'; readonly signature: Hex }
  | { readonly kind: 'out_of_form' }

export type SignatureJudge = (
  signed: SignedAuthorization & { readonly token: Token },
) => Promise<JudgedSignature>

const OUT_OF_FORM = { kind: 'out_of_form' } as const

export function createSignatureJudge(
  ours: Token,
  recover: RecoverSigner = fastestRecovery(),
): SignatureJudge {
  const ourDigest = authorizationDigest(ours)
  return async ({ authorization, signature: sent, token }) => {
    if (sent.length > ORDINARY_SIGNATURE_CHARACTERS) return { kind: 'other', signature: sent }
    const signature = inForm(sent)
    if (!isCanonical(signature)) return OUT_OF_FORM
    const digestOf = isSameToken(token, ours) ? ourDigest : authorizationDigest(token)
    const signer = await recover(digestOf(authorization), Buffer.from(signature.slice(2), 'hex'))
    if (signer === authorization.from) return { kind: 'recovered', signature }
    return signer === null || signature !== sent ? OUT_OF_FORM : { kind: 'other', signature }
  }
}

/** Some wallets write the parity 0 or 1 in place of v, or pack it into the first bit of s (EIP-2098). */
function inForm(signature: Hex): Hex {
  const r = signature.slice(2, 66)
  const s = signature.slice(66, 130)
  if (signature.length === COMPACT_SIGNATURE_CHARACTERS) {
    const first = Number.parseInt(s.charAt(0), 16)
    return `0x${r}${(first & 7).toString(16)}${s.slice(1)}${V_OF_PARITY[first >> 3]}`
  }
  const v = signature.slice(130)
  return v === '00' || v === '01' ? `0x${r}${s}${V_OF_PARITY[Number(v)]}` : signature
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
