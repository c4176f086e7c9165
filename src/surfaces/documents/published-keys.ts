import { PATHS } from '../call/paths.ts'
import { type BuildDocument, jsonDocument } from './document-context.ts'

/** `/.well-known/did.json`: the keys that sign offers and receipts (DID Core 1.0, method `web`). */
export const didDocument: BuildDocument = ({ receipts, formerReceipts, baseUrl }) => {
  const { did } = receipts
  const identities = [receipts, ...formerReceipts]
  const document = {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id: did,
    verificationMethod: identities.map(({ kid, jwk: { kty, crv, x } }) => ({
      id: kid,
      type: 'JsonWebKey2020',
      controller: did,
      publicKeyJwk: { kty, crv, x },
    })),
    assertionMethod: identities.map(({ kid }) => kid),
    service: [
      { id: `${did}#a2a`, type: 'A2AAgentCard', serviceEndpoint: `${baseUrl}${PATHS.agentCard}` },
      { id: `${did}#mcp`, type: 'MCPServer', serviceEndpoint: `${baseUrl}${PATHS.mcp}` },
    ],
  }
  return jsonDocument(PATHS.did, document, 'application/did+json')
}

/** `/.well-known/jwks.json`: every key that this service signs with, or did before (RFC 7517). */
export const keySet: BuildDocument = ({ cardKeys, receipts, formerReceipts }) => {
  const keys = [...cardKeys, ...[receipts, ...formerReceipts].map(({ jwk }) => jwk)]
  return jsonDocument(PATHS.jwks, { keys }, 'application/jwk-set+json')
}
