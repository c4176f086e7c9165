import type { Correction } from '../../model/corrections.ts'

/** The corrections that the code has: the model replays the code with exactly these. */
export const CODE_CORRECTIONS: ReadonlySet<Correction> = new Set<Correction>([])
