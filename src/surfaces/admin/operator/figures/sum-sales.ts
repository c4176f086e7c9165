import type { Sales } from '../../../../ledger/operator-figures.ts'

const NOTHING: Sales = { sales: 0, values: 0, delivered: 0, slow: 0, revenue: 0n }

export const sumSales = (cells: readonly Sales[]): Sales =>
  cells.reduce(
    (sum, cell) => ({
      sales: sum.sales + cell.sales,
      values: sum.values + cell.values,
      delivered: sum.delivered + cell.delivered,
      slow: sum.slow + cell.slow,
      revenue: sum.revenue + cell.revenue,
    }),
    NOTHING,
  )
