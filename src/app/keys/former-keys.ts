/** They no longer sign and are still published, so that older signatures can be verified. */
import type { KeyObject } from 'node:crypto'
import type { AppSettings } from '../../config/common.ts'
import { readPublicKey } from '../../receipts/local-jws-key.ts'
import { type ReceiptIdentity, receiptIdentity } from '../../receipts/receipt-signer.ts'
import { type Jwk, publicJwk } from '../../surfaces/a2a/card/card-key.ts'

export interface FormerKeys {
  readonly cardKeys: readonly Jwk[]
  readonly receipts: readonly ReceiptIdentity[]
}

/** Throws without quoting the text. */
export function readFormerKeys(
  { formerKeys }: Pick<AppSettings['keys'], 'formerKeys'>,
  baseUrl: string,
): FormerKeys {
  const keys = formerPublicKeys(formerKeys ?? '')
  return {
    cardKeys: keys.filter((key) => !signsReceipts(key)).map(publicJwk),
    receipts: keys.filter(signsReceipts).map((key) => receiptIdentity(key, baseUrl)),
  }
}

/** `openssl ecparam -genkey` writes the parameters in front of the key, which names them itself. */
const PARAMETERS = /-----BEGIN EC PARAMETERS-----[^-]*-----END EC PARAMETERS-----/g
const KEY = /-----BEGIN ([A-Z ]+)-----[^-]*-----END \1-----|\{[^{}]*\}/g

/** The public parts of PEM texts and JWKs, which stand one after another. Throws without quoting the text. */
export function formerPublicKeys(text: string): readonly KeyObject[] {
  const bare = text.replace(PARAMETERS, '')
  if (/[^\s,]/.test(bare.replace(KEY, ''))) throw new Error(RULE)
  return (bare.match(KEY) ?? []).map((each) => {
    const key = readPublicKey(each)
    if (key === null || !(signsReceipts(key) || key.asymmetricKeyDetails?.namedCurve === 'prime256v1'))
      throw new Error(RULE)
    return key
  })
}

const RULE = 'the former keys must be keys of P-256 or Ed25519, in PEM or as JWK, one after another'

const signsReceipts = ({ asymmetricKeyType }: KeyObject) => asymmetricKeyType === 'ed25519'
