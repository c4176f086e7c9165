import { X402_V01, X402_V02 } from './extensions.ts'
import type { RequestContext } from './request-context.ts'

/** The x402 version of the terms in a task. */
export type OfferedTerms = '1' | '2'

/**
 * Clients that activate extension 0.1 alone over A2A 0.3 get version 1: the public ones parse nothing else. Over A2A
 * 1.0 the same URI means version 2, whose transport cites it.
 */
export function offeredTerms({ version, extensions }: RequestContext): OfferedTerms {
  const isOld = extensions.includes(X402_V01) && !extensions.includes(X402_V02)
  return version === '0.3' && isOld ? '1' : '2'
}
