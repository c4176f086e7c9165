/** Several servers under the same load, window by window in turns, so that a drifting machine treats all alike. */
import type { Load, Window } from './load/load.ts'
import type { Job } from './load/loader.ts'
import { median } from './median.ts'

export interface Contender {
  readonly name: string
  readonly pid: number
  readonly job: Job
}

export type Series = Readonly<Record<string, readonly Window[]>>

export interface Effort {
  /** Counted rounds. */
  readonly rounds: number
  /** Length of a window of fixed requests. */
  readonly milliseconds: number
  /** Payments in a window of paid requests. */
  readonly payments: number
}

/** Windows by contender; one round before them is for warming up. */
export async function compare(load: Load, contenders: readonly Contender[], rounds: number): Promise<Series> {
  const series: Record<string, Window[]> = Object.fromEntries(contenders.map(({ name }) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    for (const { name, pid, job } of contenders) {
      const window = await load.drive(pid, job)
      if (round >= 0) series[name]!.push(window)
    }
  }
  return series
}

/** The median over rounds of one figure. */
export function middle(windows: readonly Window[], figure: keyof Window & ('rate' | 'p50' | 'p99' | 'cpu')) {
  return median(windows.map((window) => window[figure]))
}

/** The median over rounds of the quotient of one figure, round by round. */
export function quotient(
  above: readonly Window[],
  below: readonly Window[],
  figure: 'rate' | 'p50' | 'p99' | 'cpu',
): number {
  return median(above.map((window, round) => window[figure] / below[round]![figure]))
}
