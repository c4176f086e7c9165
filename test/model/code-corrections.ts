import type { Correction } from '../../model/corrections.ts'

/** The corrections that the code has: the model replays the code with exactly these. */
export const CODE_CORRECTIONS: ReadonlySet<Correction> = new Set<Correction>([
  'task-shows-its-own-sale',
  'blocks-order-claims',
  'foreign-use-is-void',
  'row-before-terms',
  'unsent-is-doubtful',
  'strangers-cannot-lock-out',
  'new-signature-waits',
  'window-from-delivery',
  'one-clock',
  'kept-task',
  'claim-is-flushed',
  'denial-under-lease',
])
