/**
 * The rules that attacks on the running service taught. Each can be left out of the model, and then the search finds
 * the attack again.
 */
export const CORRECTIONS = {
  'task-shows-its-own-sale': 'A task shows a verdict only if its row was settled for that task.',
  'blocks-order-claims':
    'The number of a block, not its time stamp, says whether a payment came before the claim.',
  'row-before-terms': 'A known row is answered before terms are compared.',
  'unsent-is-doubtful': 'A facilitator that says "not sent" is not believed: the row is reconciled.',
  'strangers-cannot-lock-out': 'Differing values of a stranger never silence the buyer.',
  'new-signature-waits': 'A new signature waits for the settlement that is under way for the same call.',
  'window-from-delivery':
    'The replay window starts with the first delivery; undelivered answers are kept for a day.',
  'foreign-use-is-void': 'An authorization spent on another payee is void, finally.',
  'one-clock': "The clock of the store alone judges leases and windows; a replica's own clock does not.",
  'standing-node-pauses': 'A node whose newest block is old opens no new row.',
  'restored-rows': 'After a backup was put back, payments without a row get one, which answers its buyer.',
  'kept-task': 'An answer names a task only if the task is stored.',
  'proof-has-depth': 'A proof on chain counts only at the depth at which blocks are not replaced.',
  'claim-is-flushed': 'A row is on disk before its settlement is sent.',
  'denial-under-lease':
    'Only under a live lease does a store that fails at a release leave "not charged" true.',
} as const satisfies Record<string, string>

export type Correction = keyof typeof CORRECTIONS

export const ALL_CORRECTIONS = Object.keys(CORRECTIONS) as readonly Correction[]

export const allBut = (...without: readonly Correction[]): ReadonlySet<Correction> =>
  new Set(ALL_CORRECTIONS.filter((correction) => !without.includes(correction)))
