import type { Sales } from '../../../../ledger/figures/operator-figures.ts'

/** A loop over one object, because a page sums 100,000 cells several times while sales wait. */
export function sumSales(cells: readonly Sales[]): Sales {
  const sum = { sales: 0, values: 0, delivered: 0, revenue: 0n }
  for (const cell of cells) {
    sum.sales += cell.sales
    sum.values += cell.values
    sum.delivered += cell.delivered
    sum.revenue += cell.revenue
  }
  return sum
}
