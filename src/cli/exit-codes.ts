/** The exit codes of the program, in the order help shows them. */
export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'done; an identifier that is not valid is a result like any other'],
  [1, 'not done, or not all of it; nothing was charged for what failed'],
  [2, 'wrong usage; nothing was sent'],
  [3, 'it is not known whether a payment was made'],
  [130, 'interrupted by Ctrl-C'],
]

export const INTERRUPTED = 130
