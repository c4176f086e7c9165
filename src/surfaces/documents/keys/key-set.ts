/** `/.well-known/jwks.json`: every key this service signs with, or did lately (RFC 7517). */
import { type BuildDocument, jsonDocument } from '../document-context.ts'

export const keySet: BuildDocument = ({ cardKeys, receipts, formerReceipts = [] }) => {
  const keys = [...cardKeys, ...[receipts, ...formerReceipts].map(({ jwk }) => jwk)]
  return jsonDocument('/.well-known/jwks.json', { keys }, 'application/jwk-set+json')
}
