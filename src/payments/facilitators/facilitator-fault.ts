/**
 * Thrown by a facilitator client if there is no usable answer.
 *
 * `not_sent`: the request certainly never reached a facilitator that could act on it. `unknown`: it may have, so the
 * payment may have been settled. The message is for the operator's log and never reaches a buyer.
 */
export class FacilitatorFault extends Error {
  override readonly name = 'FacilitatorFault'
  readonly effect: 'not_sent' | 'unknown'
  /** True if the facilitator received the request and says itself that it did nothing. */
  readonly byItsWord: boolean

  constructor(
    effect: 'not_sent' | 'unknown',
    message: string,
    options: ErrorOptions & { readonly byItsWord?: boolean } = {},
  ) {
    super(message, options)
    this.effect = effect
    this.byItsWord = options.byItsWord ?? false
  }
}
