import type { FacilitatorClient } from '@x402/core/server'
import { FacilitatorFault } from './facilitator-fault.ts'

export interface CircuitBreakerOptions {
  /** Called when calls are held back from now on, and when they go through again. */
  readonly onChange?: (isOpen: boolean) => void
  readonly monotonicMs?: () => number
}

/** Calls in a row without an answer before further ones are held back. */
const OPEN_AFTER = 5
/** How long calls are held back before one is let through as a test. */
const OPEN_MS = 10_000

/**
 * Holds calls back from a facilitator that has stopped answering: each would wait for its deadline, and a settlement
 * without an answer leaves a payment in doubt. A call held back rejects at once as `not_sent`.
 *
 * A refusal is an answer, a server error is not. After a pause one call at a time tests whether the facilitator is back.
 */
export function withCircuitBreaker(
  facilitator: FacilitatorClient,
  { onChange = () => {}, monotonicMs = () => performance.now() }: CircuitBreakerOptions = {},
): FacilitatorClient {
  let failures = 0
  let heldUntil = Number.NEGATIVE_INFINITY
  let isOpen = false
  let isTesting = false

  const succeeded = () => {
    failures = 0
    if (isOpen) onChange(false)
    isOpen = false
  }
  const failed = () => {
    failures += 1
    if (failures < OPEN_AFTER) return
    heldUntil = monotonicMs() + OPEN_MS
    if (!isOpen) onChange(true)
    isOpen = true
  }
  const call = async <T>(work: () => Promise<T>): Promise<T> => {
    const isTest = isOpen
    if (isTest && (isTesting || monotonicMs() < heldUntil))
      throw new FacilitatorFault('not_sent', 'held back: the facilitator has stopped answering')
    isTesting ||= isTest
    try {
      const answer = await work()
      succeeded()
      return answer
    } catch (error) {
      if (error instanceof FacilitatorFault && error.byItsWord && error.effect === 'not_sent') succeeded()
      else failed()
      throw error
    } finally {
      if (isTest) isTesting = false
    }
  }
  return {
    verify: (payload, requirements) => call(() => facilitator.verify(payload, requirements)),
    settle: (payload, requirements) => call(() => facilitator.settle(payload, requirements)),
    // Asked every minute by the monitor, whatever the state here.
    getSupported: () => facilitator.getSupported(),
  }
}
