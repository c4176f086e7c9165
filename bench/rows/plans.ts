/** All rows of the benchmark, in the order of the table. */
import type { RowPlan } from '../bench.ts'
import { checks } from './checks.ts'
import { documents } from './documents.ts'
import { paid, paidSlow } from './paid.ts'
import { unpaid } from './unpaid.ts'

export const PLANS: readonly RowPlan[] = [unpaid, documents, paid, paidSlow, checks]
