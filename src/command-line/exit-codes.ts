export const NOT_DONE = 1
export const IN_DOUBT = 3
/** Of `verify` without a key that the caller vouches for. */
export const SIGNER_UNCHECKED = 4
export const INTERRUPTED = 130

export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'done; an identifier that is not valid is a result like any other'],
  [NOT_DONE, 'not done, or not all of it; nothing was charged for what failed'],
  [2, 'wrong usage; nothing was sent'],
  [IN_DOUBT, 'it is not known whether a payment was made, or its answer is lost'],
  [SIGNER_UNCHECKED, 'consistent, but it was not checked who signed'],
  [INTERRUPTED, 'interrupted by Ctrl-C'],
]
