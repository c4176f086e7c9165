/** In which x402 versions a client that pays in band is offered its terms. */
import { X402_V01, X402_V02 } from './extensions.ts'
import type { RequestContext } from './request-context.ts'

/** Version 2 alone, or both with the one that the client is expected to read first. */
export const OFFERED_TERMS = ['2', '1+2', '2+1'] as const
export type OfferedTerms = (typeof OFFERED_TERMS)[number]

/**
 * Offers version 1 to clients that activate extension 0.1. It comes first over A2A 0.3, where the public payers parse
 * version 1 only; over A2A 1.0 the same URI is the one that the x402 version 2 transport cites.
 */
export function offeredTerms({
  version,
  extensions,
}: Pick<RequestContext, 'version' | 'extensions'>): OfferedTerms {
  if (!extensions.includes(X402_V01)) return '2'
  return version === '0.3' && !extensions.includes(X402_V02) ? '1+2' : '2+1'
}
