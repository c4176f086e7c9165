/**
 * Thrown by a facilitator client when there is no answer to go by.
 *
 * `not_sent`: the request certainly never reached a facilitator that could act on it. `unknown`: it may have, so the
 * payment may have been settled. The message is for the operator's log and never reaches a buyer.
 */
export class FacilitatorFault extends Error {
  override readonly name = 'FacilitatorFault'
  readonly effect: 'not_sent' | 'unknown'
  /** True where a facilitator that had the request says itself that it did nothing with it. */
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
