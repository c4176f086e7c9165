import { orRaced } from '../store/raced.ts'
import type { Flushed, Store } from '../store/store.ts'
import type { ChannelCharge, ChargedTask, TaskCharge } from './channel-row.ts'
import { chargeWithTask, showCharge } from './channel-tasks.ts'
import { sumChannels } from './channel-totals.ts'
import * as channels from './channels.ts'
import * as deposits from './deposits.ts'

export function channelStore({ read, flush, transact }: Store) {
  const charge = transact(chargeWithTask)
  return {
    findChannel: read(channels.findChannel),
    openChannel: flush(channels.openChannel),
    moveChannel: flush(channels.moveChannel),
    noteVoucherRepeat: flush(channels.noteVoucherRepeat),
    chargeWithTask: (call: ChannelCharge, task: ChargedTask): Flushed<TaskCharge> =>
      orRaced(charge(call, task), () => ({ kind: 'raced' })),
    showCharge: transact(showCharge),
    findDeposit: read(deposits.findDeposit),
    claimDeposit: flush(deposits.claimDeposit),
    moveDeposit: flush(deposits.moveDeposit),
    depositsWith: read(deposits.selectDepositsWith),
    unresolvedDeposits: read(deposits.selectUnresolvedDeposits),
    claimableChannels: read(channels.selectClaimable),
    fundedChannels: read(channels.selectFunded),
    listChannels: read(channels.selectChannels),
    channelTotals: read(sumChannels),
  }
}
