export type StoreFault = 'full' | 'read_only' | 'no_answer'

/** Thrown if the store does not answer; a write may or may not have been made. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  readonly fault: StoreFault

  constructor(message: string, options: ErrorOptions & { readonly fault?: StoreFault } = {}) {
    super(message, options)
    this.fault = options.fault ?? 'no_answer'
  }
}

/** The message with the store's own reason, such as a missing privilege. */
export function withReason({ message, cause }: StoreUnavailable): string {
  const reason = (cause as Error | undefined)?.message
  return reason === undefined || reason === '' || message.includes(reason) ? message : `${message}: ${reason}`
}
