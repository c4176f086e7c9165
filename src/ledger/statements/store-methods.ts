import type { Kysely } from 'kysely'
import type { ChannelStore } from '../channel-store.ts'
import type { Schema } from '../schema.ts'
import type { TreasuryStore } from '../treasury-store.ts'
import * as deposits from './channel-deposits.ts'
import * as tasks from './channel-tasks.ts'
import { sumChannels } from './channel-totals.ts'
import * as channels from './channels.ts'
import * as treasury from './treasury.ts'

/** Runs statements on a connection of an adapter; their errors are store errors. */
type Run = <T>(statement: (db: Kysely<Schema>) => Promise<T>) => Promise<T>

/** An adapter's own ways to read, to write durably, and to write several rows in one transaction. */
interface Runs {
  readonly guard: <T>(run: () => Promise<T>) => Promise<T>
  readonly read: Run
  readonly write: Run
  /** Unguarded. */
  readonly transact: Run
}

/** The methods that both adapters have alike. */
export const storeMethods = ({ guard, read, write, transact }: Runs): ChannelStore & TreasuryStore => ({
  findChannel: (id) => read((db) => channels.findChannel(db, id)),
  openChannel: (channel) => write((db) => channels.openChannel(db, channel)),
  moveChannel: (seen, change) => write((db) => channels.moveChannel(db, seen, change)),
  noteVoucherRepeat: (seen, mismatch) => write((db) => channels.noteVoucherRepeat(db, seen, mismatch)),
  chargeWithTask: (charge, task) =>
    guard(() => tasks.orRaced(() => transact((db) => tasks.chargeWithTask(db, charge, task)))),
  holdTask: (task) => guard(() => transact((db) => tasks.holdTask(db, task))),
  showCharge: (task) => guard(() => transact((db) => tasks.showCharge(db, task))),
  findDeposit: (payer, nonce) => read((db) => deposits.findDeposit(db, payer, nonce)),
  claimDeposit: (deposit) => write((db) => deposits.claimDeposit(db, deposit)),
  moveDeposit: (seen, change) => write((db) => deposits.moveDeposit(db, seen, change)),
  depositsWith: (channel, voucher) => read((db) => deposits.selectDepositsWith(db, channel, voucher)),
  unresolvedDeposits: (now, limit) => read((db) => deposits.selectUnresolvedDeposits(db, now, limit)),
  claimableChannels: (limit) => read((db) => channels.selectClaimable(db, limit)),
  fundedChannels: (limit, after) => read((db) => channels.selectFunded(db, limit, after)),
  listChannels: (limit, after) => read((db) => channels.selectChannels(db, limit, after)),
  channelTotals: (now) => read((db) => sumChannels(db, now)),
  reserve: (id, purpose, worst, fuse) =>
    guard(() => transact((db) => treasury.reserve(db, id, purpose, worst, fuse))),
  release: (id, outlay) => guard(() => transact((db) => treasury.release(db, id, outlay))),
  mayAct: (purpose, worst, fuse) => read((db) => treasury.mayAct(db, purpose, worst, fuse)),
  treasury: (from, to) => read((db) => treasury.sumTreasury(db, from, to)),
})
