import type { Store } from '../store/store.ts'
import { selectAttention } from './attention.ts'
import { countBacklog } from './backlog.ts'
import { addCounts, selectCounts } from './counts.ts'
import { sumSales } from './sales.ts'

export function figureStore({ clock, survey, aside }: Store) {
  const backlog = survey(countBacklog)
  return {
    addCounts: aside(addCounts),
    counts: survey(selectCounts),
    sales: survey(sumSales),
    backlog: () => backlog(clock.now()),
    attention: survey(selectAttention),
  }
}
