/** Figures and claims of a row, out of the windows that were measured. */
import { middle, quotient, type Series } from '../compare.ts'
import { median } from '../median.ts'
import type { Claim, Figures } from './row.ts'

/** The medians of every contender. */
export function figuresOf(series: Series): readonly Figures[] {
  return Object.entries(series).map(([name, windows]) => {
    const others = windows.reduce(
      (sum, window) => sum + Object.values(window.others).reduce((all, count) => all + count, 0),
      0,
    )
    return {
      name,
      rate: middle(windows, 'rate'),
      p50: middle(windows, 'p50'),
      p99: middle(windows, 'p99'),
      cpu: middle(windows, 'cpu'),
      ...(others > 0 ? { other: `${others} other answers` } : {}),
    }
  })
}

/** Our requests per second as a multiple of a peer's, and the peer's processor time as a multiple of ours. */
export function rateClaim(series: Series, peer: string, target?: number): readonly Claim[] {
  const { ours, [peer]: theirs } = series
  if (ours === undefined || theirs === undefined) throw new Error(`no windows of ${peer}`)
  const goal = target === undefined ? {} : { target }
  return [
    { what: `requests/s against ${peer}`, value: quotient(ours, theirs, 'rate'), ...goal },
    { what: `processor time of ${peer} against ours`, value: quotient(theirs, ours, 'cpu') },
  ]
}

/** Our p99 as a multiple of our p50. */
export function spreadClaim({ ours }: Series, target: number): Claim {
  if (ours === undefined) throw new Error('no windows of ours')
  const value = median(ours.map(({ p50, p99 }) => p99 / p50))
  return { what: 'p99 against its own p50', value, target, side: 'at most' }
}

/** Our processor time for so many answers as a multiple of that of another contender for one. */
export function costClaim(series: Series, other: string, target: number, answers = 1): Claim {
  const { ours, [other]: theirs } = series
  if (ours === undefined || theirs === undefined) throw new Error(`no windows of ${other}`)
  return {
    what: `processor time against ${other}`,
    value: answers * quotient(ours, theirs, 'cpu'),
    target,
    side: 'at most',
  }
}

/** One of our latencies as a multiple of a peer's. */
export function latencyClaim(series: Series, peer: string, figure: 'p50' | 'p99', target: number): Claim {
  const { ours, [peer]: theirs } = series
  if (ours === undefined || theirs === undefined) throw new Error(`no windows of ${peer}`)
  return { what: `${figure} against ${peer}`, value: quotient(ours, theirs, figure), target, side: 'at most' }
}
