import { isDeepStrictEqual } from 'node:util'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'

/** A payment as its payer has signed it, and the terms that it was signed for. */
export interface ExpectedPayment {
  readonly payload: Readonly<Record<string, unknown>>
  readonly requirements: PaymentRequirements
  /** The address of the call. */
  readonly url: string
}

/** What is wrong with a payment that reaches a facilitator, if it is known what was signed. */
export function wrongInSettlement(
  expected: ExpectedPayment | undefined,
  { x402Version, resource, accepted, payload, extensions, ...more }: PaymentPayload,
  requirements: PaymentRequirements,
): string[] {
  if (expected === undefined) return []
  const checks: readonly (readonly [string, boolean])[] = [
    ['has another version', x402Version === 2],
    ['is for another call', resource?.url === expected.url],
    ['accepts other terms', isDeepStrictEqual(accepted, requirements)],
    ['has other requirements', isDeepStrictEqual(requirements, expected.requirements)],
    ['is not as it was signed', isDeepStrictEqual(payload, expected.payload)],
    ['hides what the service declares', Object.keys(extensions ?? {}).length > 0],
    ['has something that no one has signed', Object.keys(more).length === 0],
  ]
  return checks.filter(([, isSo]) => !isSo).map(([what]) => `a settlement ${what}`)
}
