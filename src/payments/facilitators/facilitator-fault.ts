import { ChainUnavailable } from '../chain/chain-reader.ts'

/** For the log; never text that the facilitator wrote freely. */
export interface Symptom {
  readonly status?: number
  /** The facilitator's reason, the system's error code, or a code of this service. */
  readonly code?: string
}

/**
 * There is no usable answer. Symptom and message are for the operator, never for a buyer. `not_sent`: the request
 * certainly never reached a facilitator that could act on it. `unknown`: the payment may have been settled.
 */
export class FacilitatorFault extends Error {
  override readonly name = 'FacilitatorFault'
  readonly effect: 'not_sent' | 'unknown'
  /** True if `effect` follows from the facilitator's own answer, not from a failure to get one. */
  readonly answered: boolean
  readonly symptom: Symptom

  constructor(
    effect: 'not_sent' | 'unknown',
    message: string,
    options: ErrorOptions & { readonly answered?: boolean; readonly symptom?: Symptom } = {},
  ) {
    super(message, options)
    this.effect = effect
    this.answered = options.answered ?? false
    this.symptom = options.symptom ?? symptomOf(options.cause)
  }
}

/** Codes of Node, such as ECONNREFUSED and CERT_HAS_EXPIRED. */
const SYSTEM_CODE = /^[A-Z][A-Z0-9_]{1,60}$/

export function symptomOf(error: unknown): Symptom {
  if (error instanceof FacilitatorFault) return error.symptom
  if (error instanceof ChainUnavailable) return { code: 'chain_unavailable' }
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
  return typeof code === 'string' && SYSTEM_CODE.test(code) ? { code } : {}
}
