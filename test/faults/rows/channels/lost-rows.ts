import { type ChannelBuyer, channelBuyer, lose } from '../../bench/channel-buyer.ts'
import {
  type ChannelFaultRow,
  type ChannelPlayed,
  goesOn,
  MORTAL,
  openedAt,
  sendAndRepeat,
} from '../../bench/channel-row.ts'

/** A reply that does not arrive. */
export const LOST_ROWS: readonly ChannelFaultRow[] = [
  repeated('the client repeats the call', true),
  repeated('a client that reads no chain repeats the call', false),
  {
    fault: 'reply lost; the identical request is repeated after a restart',
    on: 'SQLite',
    shares: MORTAL,
    expected: goesOn('no answer', 3),
    play: async (stage) => {
      const { url, service } = await stage.fileFor(MORTAL)
      const buyer = await openedAt(stage, url)
      const restart = async () => {
        await service.stop()
        await service.start()
      }
      return sendAndRepeat(buyer, url, restart, { loses: true })
    },
  },
  {
    fault: 'reply to a deposit lost; the client signs another deposit',
    on: 'SQLite',
    expected: goesOn('no answer', 2),
    play: async (stage) => {
      const { url } = await stage.file()
      return loseAndRepeat(await channelBuyer(stage.world), url)
    },
  },
  {
    fault: 'reply lost; the client repeats the call on another replica',
    on: 'PostgreSQL, 3 replicas',
    expected: goesOn('no answer', 3),
    play: async (stage) => {
      const { url } = await stage.replicas()
      return loseAndRepeat(await openedAt(stage, url), url)
    },
  },
  {
    fault: 'reply lost; the client goes on with another call',
    on: 'SQLite',
    // The answer that was lost is one of the four.
    expected: goesOn('409 payment_already_used', 4),
    play: async (stage) => {
      const { url } = await stage.file()
      const buyer = await openedAt(stage, url)
      await buyer.buy(url, buyer.value(), lose)
      const other = buyer.value()
      const first = await buyer.buy(url, other)
      return { buyer, url, first, repeated: await buyer.insist(url, other) }
    },
  },
]

/** One call whose reply is lost; the client repeats it, as it does, until it is answered. */
async function loseAndRepeat(buyer: ChannelBuyer, url: string): Promise<ChannelPlayed> {
  const value = buyer.value()
  const first = await buyer.buy(url, value, lose)
  return { buyer, url, first, repeated: await buyer.insist(url, value) }
}

function repeated(what: string, readsChain: boolean): ChannelFaultRow {
  return {
    fault: `reply lost; ${what}`,
    on: 'SQLite',
    expected: goesOn('no answer', 3),
    play: async (stage) => {
      const { url } = await stage.file()
      return loseAndRepeat(await openedAt(stage, url, { readsChain }), url)
    },
  }
}
