/**
 * Thrown by a facilitator client when there is no answer to go by.
 *
 * `not_sent`: the request certainly never reached a facilitator that could act on it. `unknown`: it may have, so the
 * payment may have been settled. The message is for the operator's log and never reaches a buyer.
 */
export class FacilitatorFault extends Error {
  override readonly name = 'FacilitatorFault'
  readonly effect: 'not_sent' | 'unknown'

  constructor(effect: 'not_sent' | 'unknown', message: string, options?: ErrorOptions) {
    super(message, options)
    this.effect = effect
  }
}
