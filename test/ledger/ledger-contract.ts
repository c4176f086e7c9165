import { describeAnswers } from './contract/answers.ts'
import { describeClaims } from './contract/claims.ts'
import { describeFigures } from './contract/figures.ts'
import { describeIdentifiers } from './contract/identifiers.ts'
import { describeReconcileLists } from './contract/reconcile-lists.ts'
import { describeTasks } from './contract/tasks.ts'
import { describeTreasury } from './contract/treasury.ts'
import { describeUpkeep } from './contract/upkeep.ts'
import type { OpenStore } from './each-with-store.ts'

/** The behaviour every ledger adapter has to show; run once per adapter. */
export function describeLedger(name: string, open: OpenStore): void {
  describeClaims(name, open)
  describeAnswers(name, open)
  describeIdentifiers(name, open)
  describeTasks(name, open)
  describeReconcileLists(name, open)
  describeFigures(name, open)
  describeTreasury(name, open)
  describeUpkeep(name, open)
}
