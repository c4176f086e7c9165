/** `/.well-known/jwks.json`: every key this service signs with (RFC 7517). */
import { type BuildDocument, jsonDocument } from './facts.ts'

export const keySet: BuildDocument = ({ cardKeys, receipts }) =>
  jsonDocument('/.well-known/jwks.json', { keys: [...cardKeys, receipts.jwk] }, 'application/jwk-set+json')
