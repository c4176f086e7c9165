/** All rows of the benchmark, in the order of the table. */
import type { RowPlan } from '../bench.ts'
import { a2a, mcp } from './agents.ts'
import { boot } from './boot.ts'
import { channels } from './channels.ts'
import { checks } from './checks.ts'
import { databaseCost } from './database-cost.ts'
import { documents } from './documents.ts'
import { gas } from './gas.ts'
import { ledgerGrowth } from './ledger-growth.ts'
import { lists } from './lists.ts'
import { memory } from './memory.ts'
import { paid, paidDisk, paidSlow } from './paid.ts'
import { replicas } from './replicas.ts'
import { selfSettled } from './self-settled.ts'
import { unpaid } from './unpaid.ts'

export const PLANS: readonly RowPlan[] = [
  unpaid,
  documents,
  paid,
  paidSlow,
  paidDisk,
  channels,
  gas,
  selfSettled,
  mcp,
  a2a,
  lists,
  checks,
  boot,
  memory,
  ledgerGrowth,
  replicas,
  databaseCost,
]
