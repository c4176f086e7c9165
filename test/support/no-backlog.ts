import type { Backlog } from '../../src/ledger/figures/operator-figures.ts'

/** The backlog of a store in which nothing is open. */
export const NO_BACKLOG: Backlog = {
  claimed: 0,
  settling: 0,
  inDoubt: 0,
  refused: 0,
  inDoubtSince: null,
  auditMissing: 0,
  auditPending: 0,
  auditPendingSince: null,
  unpaidTasks: 0,
}
