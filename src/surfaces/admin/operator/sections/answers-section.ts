import type { Html } from '../../../../http/body/html.ts'
import { daysUpTo } from '../../../../ledger/utc-days.ts'
import { bars } from '../charts.ts'
import type { Figures } from '../figures/figures.ts'
import type { ViewRange } from '../figures/view-range.ts'
import { ifRead } from '../tables.ts'

/** How calls ended, by outcome, most frequent first. Counts name no payer, so the operator's own calls are among them. */
export const answersSection = ({ counts, at }: Figures, range: ViewRange): Html =>
  ifRead(counts, (all) => {
    const [first = ''] = daysUpTo(at, range.days)
    const shown = all.filter(({ day }) => day >= first)
    const rows = [...Map.groupBy(shown, ({ outcome }) => outcome)].map(([name, part]) => ({
      name,
      value: part.reduce((sum, { count }) => sum + count, 0),
    }))
    return bars(
      'Calls by outcome, own ones included',
      rows.toSorted((a, b) => b.value - a.value || (a.name < b.name ? -1 : 1)),
    )
  })
