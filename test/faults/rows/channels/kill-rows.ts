import { type ChannelBuyer, channelBuyer, LOST } from '../../bench/channel-buyer.ts'
import { type ChannelFault, planChannelFault } from '../../bench/channel-fault.ts'
import {
  type ChannelFaultRow,
  goesOn,
  isDead,
  MORTAL,
  openedAt,
  sendAndRepeat,
  timePasses,
  untilStruck,
} from '../../bench/channel-row.ts'
import type { SettleAct } from '../../bench/facilitator-proxy.ts'
import type { LiveService } from '../../bench/live-service.ts'
import type { Stage } from '../../bench/stage.ts'

/** What kills the process: a write of the store, or the facilitator when it has the deposit. */
export type Moment =
  | Pick<ChannelFault, 'step' | 'act'>
  | ((die: () => Promise<void>, restarted: Promise<unknown>) => SettleAct)

type Named = readonly [when: string, moment: Moment]

const DEPOSIT_MOMENTS: readonly Named[] = [
  ['before a deposit is claimed', { step: 'deposit', act: 'kill-before' }],
  ['when a deposit is claimed and not sent', { step: 'deposit', act: 'kill-after' }],
  ['when a deposit is sent and has not landed', (arrived) => ({ lands: 'never', says: 'hang', arrived })],
  [
    'when a deposit is sent, which lands after the restart',
    (arrived, until) => ({ lands: 'after', says: 'hang', arrived, until }),
  ],
  ['when a deposit has landed', (landed) => ({ lands: 'before', says: 'hang', landed })],
  ['before a deposit is written as landed', { step: 'landed', act: 'kill-before' }],
  ['when a deposit is written as landed', { step: 'landed', act: 'kill-after' }],
]
const FIRST_CALL_MOMENTS: readonly Named[] = [
  ['before the first charge is written', { step: 'charge', act: 'kill-before' }],
  ['when the first charge is written', { step: 'charge', act: 'kill-after' }],
]
const CALL_MOMENTS: readonly Named[] = [
  ['before a charge is written', { step: 'charge', act: 'kill-before' }],
  ['when a charge is written', { step: 'charge', act: 'kill-after' }],
]

/** A process that dies in the middle of a call, or of the deposit that comes with it. */
export const CHANNEL_KILL_ROWS: readonly ChannelFaultRow[] = [
  ...DEPOSIT_MOMENTS.map(([when, moment]) => onFile(when, moment)),
  ...FIRST_CALL_MOMENTS.map(([when, moment]) => onMortal(when, moment, true)),
  ...CALL_MOMENTS.map(([when, moment]) => onMortal(when, moment, false)),
  onReplica('when a deposit has landed', (landed) => ({ lands: 'before', says: 'hang', landed }), true),
  ...CALL_MOMENTS.map(([when, moment]) => onReplica(when, moment, false)),
  {
    fault: 'SIGKILL when a deposit is sent and never lands; restart; the client signs another one',
    on: 'SQLite',
    // The second one waits until the first one can be mined no more.
    expected: goesOn('no answer', 2),
    play: async (stage) => {
      const { url, service } = await stage.ownFile()
      let lifeSeconds: number | undefined = 40
      const buyer = await channelBuyer(stage.world, { lifeSeconds: () => lifeSeconds })
      const value = buyer.value()
      await arm(stage, service, buyer, url, (arrived) => ({ lands: 'never', says: 'hang', arrived }))
      const first = await untilStruck(isDead(service), async () => {
        const shown = await buyer.buy(url, value)
        // The machine was slow, and nothing was sent.
        return shown === '402 payment_expired' ? LOST : shown
      })
      lifeSeconds = undefined
      await service.start()
      return { buyer, url, first, repeated: await buyer.insist(url, value) }
    },
  },
]

function onFile(when: string, moment: Moment): ChannelFaultRow {
  return {
    fault: `SIGKILL ${when}; restart`,
    on: 'SQLite',
    expected: goesOn('no answer', 2),
    play: async (stage) => {
      const { url, service } = await stage.ownFile()
      const buyer = await channelBuyer(stage.world)
      const restarted = await arm(stage, service, buyer, url, moment)
      const restart = async () => {
        timePasses(service)
        await service.start()
        restarted()
      }
      return sendAndRepeat(buyer, url, restart, { struck: isDead(service) })
    },
  }
}

/** Nothing is leased at these moments. */
function onMortal(when: string, moment: Moment, opens: boolean): ChannelFaultRow {
  return {
    fault: `SIGKILL ${when}; restart`,
    on: 'SQLite',
    shares: MORTAL,
    expected: goesOn('no answer', opens ? 2 : 3),
    play: async (stage) => {
      const { url, service } = await stage.fileFor(MORTAL)
      const buyer = await (opens ? channelBuyer(stage.world) : openedAt(stage, url))
      await arm(stage, service, buyer, url, moment)
      return sendAndRepeat(buyer, url, () => service.start(), { struck: isDead(service) })
    },
  }
}

function onReplica(when: string, moment: Moment, opens: boolean): ChannelFaultRow {
  return {
    fault: `SIGKILL ${when}; repeated on other replicas`,
    on: 'PostgreSQL, 3 replicas',
    expected: goesOn('no answer', opens ? 2 : 3),
    play: async (stage) => {
      const [others, victim] = await Promise.all([stage.replicas(), stage.ownReplica()])
      const buyer = await (opens ? channelBuyer(stage.world) : openedAt(stage, victim.url))
      await arm(stage, victim.service, buyer, victim.url, moment)
      return sendAndRepeat(buyer, victim.url, undefined, {
        again: others.url,
        struck: isDead(victim.service),
      })
    },
  }
}

/** Lets the process die at this moment of the buyer's next call; to be called once it runs again. */
async function arm(
  { world }: Stage,
  service: LiveService,
  buyer: ChannelBuyer,
  url: string,
  moment: Moment,
): Promise<() => void> {
  const restart = Promise.withResolvers<void>()
  const id = await buyer.channelAt(url)
  if (typeof moment === 'function') {
    const act = moment(() => service.kill(), restart.promise)
    world.facilitator.plan(id, act)
  } else {
    // A deposit and the first call name the payer; a later call names the channel alone.
    planChannelFault(service.scratch, buyer.answered() === 0 ? buyer.address : id, moment)
  }
  return restart.resolve
}
