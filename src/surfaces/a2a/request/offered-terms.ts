/** In which x402 version a client that pays in band is offered its terms. */
import { X402_V01, X402_V02 } from './extensions.ts'
import type { RequestContext } from './request-context.ts'

export type OfferedTerms = '1' | '2'

/**
 * Version 1 to clients that activate extension 0.1 alone over A2A 0.3, where the public payers parse version 1 only; over
 * A2A 1.0 the same URI is the one that the x402 version 2 transport cites.
 */
export function offeredTerms({
  version,
  extensions,
}: Pick<RequestContext, 'version' | 'extensions'>): OfferedTerms {
  const isOld = extensions.includes(X402_V01) && !extensions.includes(X402_V02)
  return version === '0.3' && isOld ? '1' : '2'
}
