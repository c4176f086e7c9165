/** The checks themselves, in one process, against the libraries that do the same. */
import type { RowPlan } from '../bench.ts'
import type { CheckFigures } from '../checks/measure.ts'
import { nextMessage, SERVER_CORE, startPinned } from '../processes.ts'
import type { Row } from '../report/row.ts'

export const checks: RowPlan = {
  id: 'checks',
  async run({ effort }) {
    const slice = Math.max(5, Math.min(60, effort.milliseconds / 20))
    const args = [String(effort.rounds * 2 - 1), String(slice)]
    const measuring = startPinned(SERVER_CORE, 'bench/checks/measure.ts', { args })
    const figures = await nextMessage<readonly CheckFigures[]>(measuring)
    await measuring.stop()
    return figures.map(rowOf)
  },
}

function rowOf({ type, kind, target, nanoseconds, ratios }: CheckFigures): Row {
  return {
    id: `check-${type}-${kind}`,
    work: `${type}, full result against ${kind === 'full' ? 'full results' : 'verdicts alone'}`,
    figures: Object.entries(nanoseconds).map(([name, time]) => ({ name, other: `${Math.round(time)} ns` })),
    claims: Object.entries(ratios).map(([peer, value]) => ({ what: `speed against ${peer}`, value, target })),
  }
}
