/** What a row of the benchmark says, as it stands in the report and in the table. */

export interface Figures {
  readonly name: string
  /** Answers per second. */
  readonly rate?: number
  /** Milliseconds. */
  readonly p50?: number
  /** Milliseconds. */
  readonly p99?: number
  /** Microseconds of the server's processor time per answer. */
  readonly cpu?: number
  /** Any other figure, with its unit. */
  readonly other?: string
}

export interface Claim {
  /** What is compared, e.g. "requests/s against stock". */
  readonly what: string
  readonly value: number
  readonly target?: number
  /** Whether the target is a floor or a ceiling. */
  readonly side?: 'at least' | 'at most'
}

export interface Row {
  readonly id: string
  readonly work: string
  readonly figures: readonly Figures[]
  readonly claims: readonly Claim[]
  readonly notes?: readonly string[]
  /** Share of the machine that others took while it was measured, from 0 to 1; absent where it was not looked at. */
  readonly taken?: number
  /** Day of the measurement. */
  readonly at?: string
  /** Commit that was measured. */
  readonly revision?: string
  /** On which it was measured, with its Node. */
  readonly machine?: string
}

/** True for a claim without a target. */
export function isMet({ value, target, side = 'at least' }: Claim): boolean {
  if (target === undefined) return true
  return side === 'at least' ? value >= target : value <= target
}
