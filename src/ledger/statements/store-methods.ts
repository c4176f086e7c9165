import * as tasks from '../channels/channel-tasks.ts'
import * as channels from '../channels/channels.ts'
import * as deposits from '../channels/deposits.ts'
import { selectAttention } from '../figures/attention.ts'
import { countBacklog } from '../figures/backlog.ts'
import { sumChannels } from '../figures/channel-totals.ts'
import { addCounts, selectCounts } from '../figures/counts.ts'
import { sumSales } from '../figures/sales.ts'
import { addServiceHour, selectServiceHistory } from '../figures/service-hours.ts'
import type { Ledger } from '../ledger.ts'
import * as lists from '../payments/payment-lists.ts'
import * as payments from '../payments/payments.ts'
import { ensureFact, findFact, replaceFact } from '../store/key-values.ts'
import { acquireLock, releaseLock } from '../store/locks.ts'
import { orRaced } from '../store/raced.ts'
import type { Sql } from '../store/sql.ts'
import { endTask, findTask } from '../tasks/tasks.ts'
import * as treasury from '../treasury/reserves.ts'

export type Run = <T>(statement: (db: Sql) => Promise<T>) => Promise<T>

interface Runs {
  readonly read: Run
  readonly write: Run
  /** Reads many rows without holding up sales. */
  readonly survey: Run
  /** Writes what a crash of the store's machine may lose. */
  readonly note: Run
  /** Writes durably in one transaction. */
  readonly transact: Run
  /** UTC milliseconds. */
  readonly now: () => number
}

type Own =
  | ('clock' | 'load' | 'claim' | 'reclaim' | 'move' | 'noteDelivered' | 'unanswered' | 'saveTask')
  | ('purge' | 'ready' | 'close')

export const storeMethods = ({ read, write, survey, note, transact, now }: Runs): Omit<Ledger, Own> => ({
  find: (key) => read((db) => payments.findPayment(db, key)),
  noteRepeat: (key, mismatch, lockedFrom) =>
    write((db) => payments.noteRepeat(db, key, mismatch, lockedFrom)),
  noteSent: (keys, transaction) => write((db) => payments.noteSent(db, keys, transaction)),
  hasSettled: (payer) => read((db) => lists.hasSettled(db, payer)),
  findByIdentifier: (identifier) => read((db) => lists.findByIdentifier(db, identifier)),
  unresolved: (now, limit, after) => read((db) => lists.selectUnresolved(db, now, limit, after)),
  unaudited: (before, limit, after) => read((db) => lists.selectUnaudited(db, before, limit, after)),
  settled: (from, to, limit, after) => survey((db) => lists.selectSettled(db, from, to, limit, after)),
  findTask: (key) => read((db) => findTask(db, key)),
  endTask: (key, why, sealed, now) => transact((db) => endTask(db, key, why, sealed, now)),
  addCounts: (counts) => note((db) => addCounts(db, counts)),
  counts: (from, to) => survey((db) => selectCounts(db, from, to)),
  addServiceHour: (hour, counts) => note((db) => addServiceHour(db, hour, counts)),
  serviceHistory: (fromDay) => survey((db) => selectServiceHistory(db, fromDay)),
  sales: (from, to) => survey((db) => sumSales(db, from, to)),
  backlog: () => survey((db) => countBacklog(db, now())),
  attention: (options) => survey((db) => selectAttention(db, options)),
  acquireLock: (name, owner, now, until) => write((db) => acquireLock(db, name, owner, now, until)),
  releaseLock: (name, owner) => write((db) => releaseLock(db, name, owner)),
  findFact: (name) => read((db) => findFact(db, name)),
  ensureFact: (name, value) => write((db) => ensureFact(db, name, value)),
  replaceFact: (name, seen, value) => write((db) => replaceFact(db, name, seen, value)),
  findChannel: (id) => read((db) => channels.findChannel(db, id)),
  openChannel: (channel) => write((db) => channels.openChannel(db, channel)),
  moveChannel: (seen, change) => write((db) => channels.moveChannel(db, seen, change)),
  noteVoucherRepeat: (seen, mismatch) => write((db) => channels.noteVoucherRepeat(db, seen, mismatch)),
  chargeWithTask: (charge, task) =>
    orRaced(
      () => transact((db) => tasks.chargeWithTask(db, charge, task)),
      () => ({ kind: 'raced' }),
    ),
  showCharge: (task) => transact((db) => tasks.showCharge(db, task)),
  findDeposit: (payer, nonce) => read((db) => deposits.findDeposit(db, payer, nonce)),
  claimDeposit: (deposit) => write((db) => deposits.claimDeposit(db, deposit)),
  moveDeposit: (seen, change) => write((db) => deposits.moveDeposit(db, seen, change)),
  depositsWith: (channel, voucher) => read((db) => deposits.selectDepositsWith(db, channel, voucher)),
  unresolvedDeposits: (now, limit) => read((db) => deposits.selectUnresolvedDeposits(db, now, limit)),
  claimableChannels: (limit) => read((db) => channels.selectClaimable(db, limit)),
  fundedChannels: (limit, after) => read((db) => channels.selectFunded(db, limit, after)),
  listChannels: (limit, after) => read((db) => channels.selectChannels(db, limit, after)),
  channelTotals: (now) => read((db) => sumChannels(db, now)),
  reserve: (id, purpose, worst, fuse) => transact((db) => treasury.reserve(db, id, purpose, worst, fuse)),
  release: (id, outlay) => transact((db) => treasury.release(db, id, outlay)),
  mayAct: (purpose, worst, fuse) => read((db) => treasury.mayAct(db, purpose, worst, fuse)),
  treasury: (from, to) => read((db) => treasury.treasuryDays(db, from, to)),
})
