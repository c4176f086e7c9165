/** Why a store does not answer, as far as it says so itself: no room, no write access, or anything else. */
export type StoreFault = 'full' | 'read_only' | 'no_answer'

/** Thrown by every adapter when the store does not answer; the write may or may not have been made. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  readonly fault: StoreFault

  constructor(message: string, options: ErrorOptions & { readonly fault?: StoreFault } = {}) {
    super(message, options)
    this.fault = options.fault ?? 'no_answer'
  }
}

/** A store that was reached may still refuse what is asked of it: it says why, as a missing privilege. */
export function inItsOwnWords({ message, cause }: StoreUnavailable): string {
  const reason = (cause as Error | undefined)?.message
  return reason === undefined || reason === '' || message.includes(reason) ? message : `${message}: ${reason}`
}
