/**
 * Measures every contest of the checks in this process, all contestants in turns, and sends the medians to the
 * parent. Started pinned to one core.
 */
import { median } from '../median.ts'
import { type Contest, contests, type Judge } from './contestants.ts'
import { corpusOf, refusedOf } from './corpus.ts'

export interface CheckFigures {
  readonly type: string
  readonly kind: Contest['kind']
  /** Nanoseconds per value, "ours" among the names. */
  readonly nanoseconds: Readonly<Record<string, number>>
  /** Of ours, per value that is refused. */
  readonly refusedNanoseconds: number
  /** Our speed as a multiple of each peer's: the median over rounds. */
  readonly ratios: Readonly<Record<string, number>>
}

/** What the last judgement was: read at the end, so that no judgement can be left out as useless. */
const sink = { last: undefined as unknown }

/** Nanoseconds of processor time per value over one slice of time: a busy machine hardly shows in it. */
function slice(judge: Judge, values: readonly string[], milliseconds: number): number {
  const before = process.cpuUsage()
  const until = performance.now() + milliseconds
  let judged = 0
  while (performance.now() < until) {
    for (const value of values) sink.last = judge(value)
    judged += values.length
  }
  const { user, system } = process.cpuUsage(before)
  return ((user + system) * 1_000) / judged
}

/** Several rounds in which every library has a turn; the first is for warming up. */
export function measureContest(contest: Contest, rounds: number, milliseconds: number): CheckFigures {
  const values = corpusOf(contest.type)
  const field: Readonly<Record<string, Judge>> = { ours: contest.ours, ...contest.peers }
  const names = Object.keys(field)
  const times: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const nanoseconds = slice(field[name]!, values, milliseconds)
      if (round >= 0) times[name]!.push(nanoseconds)
    }
  }
  const ratios = Object.keys(contest.peers).map((name) => [
    name,
    median(times[name]!.map((peer, round) => peer / times.ours![round]!)),
  ])
  return {
    type: contest.type,
    kind: contest.kind,
    nanoseconds: Object.fromEntries(names.map((name) => [name, median(times[name]!)])),
    refusedNanoseconds: median(
      Array.from({ length: rounds }, () => slice(contest.ours, refusedOf(values), milliseconds)),
    ),
    ratios: Object.fromEntries(ratios),
  }
}

if (import.meta.main) {
  const [rounds = '7', milliseconds = '60', only = ''] = process.argv.slice(2)
  const chosen = contests().filter(({ type, kind }) => `${type} ${kind}`.includes(only))
  const figures = chosen.map((contest) => measureContest(contest, Number(rounds), Number(milliseconds)))
  if (process.send) process.send(figures)
  else for (const row of figures) console.log(JSON.stringify(row))
}
