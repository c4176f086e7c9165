import { channelBuyer } from '../../bench/channel-buyer.ts'
import { type ChannelStep, planChannelFault } from '../../bench/channel-fault.ts'
import { type ChannelFaultRow, goesOn, openedAt, sendAndRepeat } from '../../bench/channel-row.ts'
import type { StoreAct } from '../../bench/fault-nonce.ts'
import { IN_DOUBT, NO_STORE } from '../../bench/row.ts'
import type { Stage } from '../../bench/stage.ts'

const POSTGRES = 'PostgreSQL, 3 replicas'
const REFUSALS: readonly StoreAct[] = ['down', 'read-only', 'full']

/** A store that fails at the writes of a channel. */
export const CHANNEL_STORE_ROWS: readonly ChannelFaultRow[] = [
  ...REFUSALS.flatMap((act) => [
    row('SQLite', `${act} at the charge`, 'charge', act, IN_DOUBT),
    row(POSTGRES, `${act} at the charge`, 'charge', act, IN_DOUBT),
  ]),
  row('SQLite', 'slow at the charge', 'charge', 'slow', 'verdict'),
  row(POSTGRES, 'slow at the charge', 'charge', 'slow', 'verdict'),
  row(POSTGRES, 'breaks off after the write of the charge', 'charge', 'unheard', IN_DOUBT),
  row('SQLite', 'full when a deposit is claimed', 'deposit', 'full', NO_STORE),
  row('SQLite', 'full when a deposit has landed', 'landed', 'full', IN_DOUBT),
  row(POSTGRES, 'breaks off after the claim of a deposit', 'deposit', 'unheard', NO_STORE),
  row(POSTGRES, 'breaks off after a deposit is written as landed', 'landed', 'unheard', IN_DOUBT),
]

function row(on: string, what: string, step: ChannelStep, act: StoreAct, first: string): ChannelFaultRow {
  const opens = step !== 'charge'
  return {
    fault: `store ${what}`,
    on,
    expected: goesOn(first, opens ? 2 : 3),
    play: async (stage: Stage) => {
      const { url, service } = await (on === POSTGRES ? stage.replicaFor('stores') : stage.file())
      const buyer = await (opens ? channelBuyer(stage.world) : openedAt(stage, url))
      const name = opens ? buyer.address : await buyer.channelAt(url)
      // SQLite tries each write twice: with others, then alone.
      planChannelFault(service.scratch, name, { step, act, times: on === 'SQLite' && act !== 'slow' ? 2 : 1 })
      return sendAndRepeat(buyer, url)
    },
  }
}
