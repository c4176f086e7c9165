import type { PaymentPayload } from '@x402/core/types'
import { computeChannelId } from '@x402/evm/batch-settlement/client'
import type { Hex } from 'viem'
import { channelTermsIn } from '../../../channels/channel-service.ts'
import { type Answer, type doorsOf, type Order, doorsOf as openDoors } from '../../../lists/doors.ts'
import { NETWORK } from '../../../support/channel-chain.ts'
import { channelClient } from '../../../support/channel-client.ts'
import {
  type ChannelPurse,
  freshValue,
  LOST,
  offeredAt,
  openPurse,
  shownRefusal,
  untilDefinite,
} from '../../bench/channel-buyer.ts'
import { planChannelFault } from '../../bench/channel-fault.ts'
import { type ChannelFaultRow, goesOn, isDead, MORTAL, untilStruck } from '../../bench/channel-row.ts'
import type { World } from '../../bench/world.ts'

type DoorName = keyof ReturnType<typeof doorsOf>

const DOORS: readonly (readonly [name: string, door: DoorName])[] = [
  ['MCP', 'mcp'],
  ['A2A with a header', 'a2a by header'],
  ['A2A in band', 'a2a in band'],
  ['A2A in two messages', 'a2a in two messages'],
]

/** Vouchers on the other surfaces: a lost reply, a kill, and another call after a lost reply. */
export const CHANNEL_SURFACE_ROWS: readonly ChannelFaultRow[] = DOORS.flatMap(([name, door]) => [
  {
    fault: `${name}: reply lost; the client repeats the call`,
    on: 'SQLite',
    expected: goesOn(LOST, 3, 'verdict'),
    play: async (stage) => {
      const { url } = await stage.file()
      const buyer = await doorBuyer(stage.world, url, door)
      await buyer.buy(freshValue())
      const value = freshValue()
      await buyer.send(value)
      return { buyer, url, first: LOST, repeated: await buyer.buy(value) }
    },
  },
  {
    fault: `${name}: SIGKILL when the charge is written; restart`,
    on: 'SQLite',
    shares: MORTAL,
    expected: goesOn(LOST, 3, 'verdict'),
    play: async (stage) => {
      const { url, service } = await stage.fileFor(MORTAL)
      const buyer = await doorBuyer(stage.world, url, door)
      await buyer.buy(freshValue())
      const id = await buyer.channelAt(url)
      planChannelFault(service.scratch, id, { step: 'charge', act: 'kill-after' })
      const value = freshValue()
      const first = await untilStruck(isDead(service), () => buyer.buy(value))
      await service.start()
      return { buyer, url, first, repeated: await buyer.buy(value) }
    },
  },
])

/** The stock client's scheme, which signs and hears, at one door. */
async function doorBuyer(world: World, url: string, name: DoorName) {
  const account = await world.buyer(1_000)
  const { scheme } = channelClient({ account, rpcUrl: world.rpcUrl })
  const door = openDoors(url, { channels: true })[name]
  const purse = openPurse()
  const orderOf = (value: string): Order => ({ single: { type: 'iban', value } })

  const send = async (value: string): Promise<readonly [PaymentPayload, Answer]> => {
    const accepted = channelTermsIn(await door.ask(orderOf(value)))
    const { payload } = await scheme.createPaymentPayload(2, accepted)
    const payment: PaymentPayload = { x402Version: 2, accepted, payload }
    purse.note(payment)
    const answer = await door.buy(orderOf(value), payment)
    const { outcome, settlement } = answer
    if (['sold', 'replayed'].includes(outcome) && settlement !== undefined) purse.hear(value, settlement)
    return [payment, answer]
  }
  /** Sends a call, and hears what came of it. */
  const buy = async (value: string): Promise<string> => {
    const sent = await send(value).catch(() => null)
    if (sent === null) return LOST
    const [payment, { outcome, settlement, required }] = sent
    const heard = (await scheme.schemeHooks.onPaymentResponse?.({
      paymentPayload: payment,
      requirements: payment.accepted,
      ...(settlement === undefined ? { paymentRequired: required } : { settleResponse: settlement }),
    } as never)) as { recovered?: boolean } | undefined
    if (heard?.recovered === true) return buy(value)
    return ['sold', 'replayed'].includes(outcome) ? 'verdict' : outcome
  }
  const channelAt = async (at: string): Promise<Hex> =>
    computeChannelId(scheme.buildChannelConfig(await offeredAt(at)), NETWORK)
  const buyer: ChannelPurse = {
    ...purse,
    address: account.address,
    funds: await world.balance(account.address),
    next: () => untilDefinite(() => buy(freshValue())),
    close: (at) =>
      untilDefinite(() => scheme.refund(`${at}/api/channel`).then(() => 'refunded', shownRefusal)),
    channelAt,
  }
  return { ...buyer, send, buy }
}
