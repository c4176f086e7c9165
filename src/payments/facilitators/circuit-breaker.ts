import type { FacilitatorClient } from '@x402/core/server'
import { FacilitatorFault } from './facilitator-fault.ts'

const OPEN_AFTER = 5
const OPEN_MS = 10_000

/**
 * Calls to a facilitator that has stopped answering would wait for their deadline, and leave a payment in doubt: they
 * reject at once as `not_sent`. A refusal is an answer, a server error is not. After a pause one settlement at a time
 * tests it. Outcomes of `verify` do not count: a client without money could provoke failures with the signature of a
 * wallet contract.
 */
export function withCircuitBreaker(
  facilitator: FacilitatorClient,
  onChange: (isOpen: boolean) => void,
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
    heldUntil = performance.now() + OPEN_MS
    if (!isOpen) onChange(true)
    isOpen = true
  }
  const isHeld = () => isOpen && performance.now() < heldUntil
  const heldBack = () =>
    new FacilitatorFault('not_sent', 'the facilitator has stopped answering', {
      symptom: { code: 'held_back' },
    })
  const settle: FacilitatorClient['settle'] = async (payload, requirements) => {
    const isTest = isOpen
    if (isHeld() || (isTest && isTesting)) throw heldBack()
    isTesting ||= isTest
    try {
      const answer = await facilitator.settle(payload, requirements)
      succeeded()
      return answer
    } catch (error) {
      if (error instanceof FacilitatorFault && error.answered && error.effect === 'not_sent') succeeded()
      else failed()
      throw error
    } finally {
      if (isTest) isTesting = false
    }
  }
  return {
    async verify(payload, requirements) {
      if (isHeld()) throw heldBack()
      return facilitator.verify(payload, requirements)
    },
    settle,
    // Asked every minute by the monitor, whatever the state here.
    getSupported: () => facilitator.getSupported(),
  }
}
