import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload, PaymentRequirements, SettleResponse, VerifyResponse } from '@x402/core/types'
import { FacilitatorFault } from '../../src/payments/facilitators/facilitator-fault.ts'

/** What the facilitator does with one settlement. */
export interface SettleAct {
  /** Whether the transfer is really made: before the answer, or after it was given. */
  readonly lands?: 'before' | 'after'
  /** What is said: its own words (with what really happened to go by), or no word at all. */
  readonly says: Reply | 'honest' | 'unknown' | 'not_sent' | 'nothing'
}

type Reply = (truth: SettleResponse | undefined, payload: PaymentPayload) => unknown

export interface ScriptedFacilitator extends FacilitatorClient {
  /** What is done with the settlements to come, in order; beyond them it is honest. */
  readonly script: SettleAct[]
  /** The payloads it was asked to settle. */
  readonly settled: PaymentPayload[]
  readonly verified: PaymentPayload[]
  /** Answers given to verify in place of the honest ones. */
  readonly verdicts: (VerifyResponse | 'down')[]
  /** Makes what landed "after" land now; resolves when it has. */
  landLate(): Promise<void>
  /** Releases the held settlements; until `hold` nothing is held. */
  hold(): () => void
}

/** A facilitator that follows a script, and otherwise passes calls to the real one. */
export function scriptedFacilitator(real: FacilitatorClient): ScriptedFacilitator {
  const late: (() => Promise<unknown>)[] = []
  let gate: Promise<void> = Promise.resolve()

  const act = async (
    { lands, says }: SettleAct,
    payload: PaymentPayload,
    requirements: PaymentRequirements,
  ): Promise<SettleResponse> => {
    const land = () => real.settle(payload, requirements)
    const truth = lands === 'before' || says === 'honest' ? await land() : undefined
    if (lands === 'after') late.push(land)
    switch (says) {
      case 'honest':
        return truth as SettleResponse
      case 'unknown':
        throw new FacilitatorFault('unknown', 'no reply in time')
      case 'not_sent':
        throw new FacilitatorFault('not_sent', 'connection refused')
      case 'nothing':
        return new Promise<never>(() => {})
      default:
        return says(truth, payload) as SettleResponse
    }
  }

  const facilitator: ScriptedFacilitator = {
    script: [],
    settled: [],
    verified: [],
    verdicts: [],
    async settle(payload, requirements) {
      facilitator.settled.push(payload)
      const next = facilitator.script.shift() ?? { says: 'honest' }
      await gate
      return act(next, payload, requirements)
    },
    async verify(payload, requirements) {
      facilitator.verified.push(payload)
      const verdict = facilitator.verdicts.shift()
      if (verdict === 'down') throw new FacilitatorFault('not_sent', 'connection refused')
      return verdict ?? real.verify(payload, requirements)
    },
    getSupported: () => real.getSupported(),
    async landLate() {
      for (const land of late.splice(0)) await land()
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return () => {
        gate = Promise.resolve()
        resolve()
      }
    },
  }
  return facilitator
}
