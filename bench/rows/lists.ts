/** A paid list of 1,000 mixed values beside single sales, and beside the fastest libraries without any payment. */
import type { Bench, RowPlan } from '../bench.ts'
import type { CheckFigures } from '../checks/measure.ts'
import { type Contender, compare, middle, type Series } from '../compare.ts'
import { LIST_VALUES, type PaidSurface } from '../load/paid-request.ts'
import { listTerms, termsOf } from '../load/recorded-answer.ts'
import { nextMessage, SERVER_CORE, startPinned } from '../processes.ts'
import { figuresOf } from '../report/figures.ts'
import type { Row } from '../report/row.ts'
import { startOurs } from '../servers/our-service.ts'

const LIST = `a list of ${LIST_VALUES} values`
const SINGLE = 'a single value'
const LONGEST_MS = 60_000
/** Milliseconds of processor time beyond a single sale; also an upper bound for how long a list can hold the loop. */
const MOST_BEYOND_SINGLE = 5

export const lists: RowPlan = {
  id: 'lists',
  async run({ load, world, effort }: Bench): Promise<readonly Row[]> {
    const ours = await startOurs(world)
    const single = await termsOf(ours.port)
    const list = listTerms(single, LIST_VALUES)
    const count = Math.max(8, Math.ceil(effort.payments / 40))
    const contender = (name: string, surface: PaidSurface, required: typeof single): Contender => ({
      name,
      pid: ours.pid,
      job: {
        port: ours.port,
        connections: 1,
        milliseconds: LONGEST_MS,
        expected: 200,
        source: { kind: 'paid', surface, count, required, payers: 64 },
      },
    })
    try {
      const contenders = [contender(LIST, 'list', list), contender(SINGLE, 'rest', single)]
      return [rowOf(await compare(load, contenders, effort.rounds), await fastestLibraries())]
    } finally {
      await ours.stop()
    }
  },
}

function rowOf(series: Series, libraryNs: number): Row {
  const [ofList, ofSingle] = [series[LIST] ?? [], series[SINGLE] ?? []]
  const cpu = { list: middle(ofList, 'cpu'), single: middle(ofSingle, 'cpu') }
  const perValue = cpu.list / LIST_VALUES
  return {
    id: 'list-1000',
    work: `paid list of ${LIST_VALUES} mixed values over REST, one at a time`,
    figures: [
      ...figuresOf(series),
      { name: 'per value of the list', other: `${perValue.toFixed(2)} us` },
      { name: 'fastest library per value, no payment', other: `${(libraryNs / 1_000).toFixed(2)} us` },
    ],
    claims: [
      {
        what: 'milliseconds of processor time beyond a single sale',
        value: (cpu.list - cpu.single) / 1_000,
        target: MOST_BEYOND_SINGLE,
        side: 'at most',
      },
      {
        what: `processor time of ${LIST_VALUES} single sales against the list`,
        value: cpu.single / perValue,
      },
      { what: 'values per second', value: middle(ofList, 'rate') * LIST_VALUES },
      {
        what: 'processor time of the list against the fastest libraries',
        value: (perValue * 1_000) / libraryNs,
      },
    ],
  }
}

/** Nanoseconds per value of the fastest library of each type, the mean over the types. */
async function fastestLibraries(): Promise<number> {
  const measuring = startPinned(SERVER_CORE, 'bench/checks/measure.ts', { args: ['3', '20'] })
  const figures = await nextMessage<readonly CheckFigures[]>(measuring)
  await measuring.stop()
  const fastest = new Map<string, number>()
  for (const { type, nanoseconds } of figures) {
    const { ours: _, ...peers } = nanoseconds
    fastest.set(type, Math.min(fastest.get(type) ?? Number.POSITIVE_INFINITY, ...Object.values(peers)))
  }
  return [...fastest.values()].reduce((sum, time) => sum + time, 0) / fastest.size
}
