/** UTC milliseconds by the clock of the ledger and of the chain; null until a block is known. */
export interface Clocks {
  readonly now: () => number
  readonly chainTime: () => number | null
}

/**
 * UTC milliseconds: the earlier of both clocks, so that a clock that is put forward a day deletes nothing that a buyer
 * has paid for. No window ends before a block is known.
 */
export const windowTime = ({ now, chainTime }: Clocks): number => Math.min(now(), chainTime() ?? 0)

/**
 * UTC milliseconds: the later of both clocks, so that a window that begins under a clock that was put back a day is not over
 * once the clock is right.
 */
export const recordTime = ({ now, chainTime }: Clocks): number => Math.max(now(), chainTime() ?? 0)
