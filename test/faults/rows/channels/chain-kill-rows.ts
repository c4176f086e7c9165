import type { Hex } from 'viem'
import { vi } from 'vitest'
import { type ChannelBuyer, channelBuyer, channelOnChain } from '../../bench/channel-buyer.ts'
import { planChannelFault } from '../../bench/channel-fault.ts'
import {
  type ChannelFaultRow,
  type ChannelPlayed,
  claimsUntil,
  goesOn,
  isDead,
  sendAndRepeat,
  timePasses,
  untilStruck,
} from '../../bench/channel-row.ts'
import type { SettleAct } from '../../bench/facilitator-proxy.ts'
import { PASS } from '../../bench/node-proxy.ts'
import { settlementAct } from '../../bench/settlement-act.ts'
import type { SoleService, Stage } from '../../bench/stage.ts'
import { PRICE } from '../../bench/world.ts'

type Settler = Awaited<ReturnType<Stage['ownSettler']>>

/** Before the claim two calls are charged. */
const OWED = 2n * PRICE
const PAID_BACK = 'paid back'
const PAID_OUT = 'claimed and paid out'
const SELF = 'SQLite, FACILITATOR_URL=self'

/** A process that dies while it sends a deposit itself, claims, pays out or refunds. */
export const CHAIN_KILL_ROWS: readonly ChannelFaultRow[] = [
  depositRow('when a deposit is signed and recorded, before its broadcast', false),
  depositRow('when a deposit is broadcast', true),
  claimRow('when a claim is signed and recorded, before its broadcast', SELF, 'nothing claimed', (at) =>
    dieAtBroadcast(at, 'claimWithSignature', false),
  ),
  claimRow('when a claim is broadcast', SELF, 'claimed', (at) =>
    dieAtBroadcast(at, 'claimWithSignature', true),
  ),
  claimRow('when a claim is mined, before that is written', 'SQLite', 'claimed', ({ service, id }) =>
    planChannelFault(service.scratch, id, { step: 'state', act: 'kill-before', value: String(OWED) }),
  ),
  claimRow('when a claim is written, before the payout', 'SQLite', 'claimed', ({ service, id }) =>
    planChannelFault(service.scratch, id, { step: 'state', act: 'kill-after', value: String(OWED) }),
  ),
  claimRow('when a payout is signed and recorded, before its broadcast', SELF, 'claimed', (at) =>
    dieAtBroadcast(at, 'settle', false),
  ),
  claimRow('when a payout is broadcast', SELF, PAID_OUT, (at) => dieAtBroadcast(at, 'settle', true)),
  refundRow('before a refund is written', 'SQLite', ({ service, id }) =>
    planChannelFault(service.scratch, id, { step: 'refund', act: 'kill-before' }),
  ),
  refundRow('when a refund is written and not sent', 'SQLite', ({ service, id }) =>
    planChannelFault(service.scratch, id, { step: 'refund', act: 'kill-after' }),
  ),
  refundRow('when a refund is sent and is not mined', 'SQLite', (at) =>
    dieAtFacilitator(at, (arrived) => ({ lands: 'never', says: 'hang', arrived })),
  ),
  refundRow('when a refund is mined', 'SQLite', (at) =>
    dieAtFacilitator(at, (landed) => ({ lands: 'before', says: 'hang', landed })),
  ),
  refundRow('when a refund is mined, before that is written', 'SQLite', ({ service, id }) =>
    planChannelFault(service.scratch, id, { step: 'state', act: 'kill-before', value: String(OWED) }),
  ),
  refundRow('when a refund is signed and recorded, before its broadcast', SELF, (at) =>
    dieAtBroadcast(at, 'refundWithSignature', false),
  ),
  refundRow('when a refund is broadcast', SELF, (at) => dieAtBroadcast(at, 'refundWithSignature', true)),
]

interface Scene extends SoleService {
  readonly stage: Stage
  readonly buyer: ChannelBuyer
  readonly id: Hex
  readonly node?: Settler['node']
}

async function openScene(stage: Stage, on: string, calls = 2): Promise<Scene> {
  const target = await (on === SELF ? stage.ownSettler() : stage.ownFile())
  const buyer = await channelBuyer(stage.world)
  for (let call = 0; call < calls; call += 1) await buyer.insist(target.url, buyer.value())
  return { ...target, stage, buyer, id: await buyer.channelAt(target.url) }
}

function depositRow(when: string, arrives: boolean): ChannelFaultRow {
  return {
    fault: `SIGKILL ${when}; restart`,
    on: SELF,
    expected: goesOn('no answer', 2),
    play: async (stage) => {
      const scene = await openScene(stage, SELF, 0)
      const { service, buyer, url, node } = scene
      dieAtBroadcast(scene, 'deposit', arrives)
      const restart = async () => {
        node?.treat(PASS)
        timePasses(service)
        await service.start()
      }
      return sendAndRepeat(buyer, url, restart, { struck: isDead(service) })
    },
  }
}

/** The service dies at claims that are due; its successor finds the same. */
function claimRow(when: string, on: string, first: string, arm: (scene: Scene) => unknown): ChannelFaultRow {
  return {
    fault: `SIGKILL ${when}; restart`,
    on,
    expected: goesOn(first, 3, PAID_OUT),
    play: async (stage) => {
      const scene = await openScene(stage, on)
      const { service, buyer, url, node } = scene
      arm(scene)
      await claimsUntil(service, async () => !service.running)
      const before = await claimedOf(scene)
      node?.treat(PASS)
      timePasses(service)
      await service.start()
      await claimsUntil(service, async () => (await claimedOf(scene)) === PAID_OUT)
      return { buyer, url, first: before, repeated: await claimedOf(scene) }
    },
  }
}

async function claimedOf({ stage: { world }, id, payTo }: Scene): Promise<string> {
  const { claimed } = await channelOnChain(world, id)
  const paidOut = await world.balance(payTo)
  if (claimed === 0n) return 'nothing claimed'
  if (claimed !== OWED) return `${claimed} claimed`
  return paidOut === OWED ? PAID_OUT : 'claimed'
}

/** The client asks again; what was sent before may be mined first, and then nothing is left to ask for. */
function refundRow(when: string, on: string, arm: (scene: Scene) => unknown): ChannelFaultRow {
  return {
    fault: `SIGKILL ${when}; restart`,
    on,
    expected: goesOn('no answer', 3, PAID_BACK),
    play: async (stage): Promise<ChannelPlayed> => {
      const scene = await openScene(stage, on)
      const { service, buyer, url, node } = scene
      arm(scene)
      const first = await untilStruck(isDead(service), () => buyer.refund(url))
      node?.treat(PASS)
      timePasses(service)
      await service.start()
      const outcome = await buyer.insistOnRefund(url)
      const isPaid = outcome === 'refunded' || outcome === 'nothing left'
      return { buyer, url, first, repeated: isPaid ? PAID_BACK : outcome }
    },
  }
}

/** Kills the process that broadcasts this act, before the node has it or once it is mined. */
function dieAtBroadcast({ node, service, stage }: Scene, act: string, arrives: boolean): void {
  node?.treat(async (request) => {
    if (settlementAct(request) !== act) return request
    if (arrives) {
      const transaction = await stage.world.rpc(request.method, request.params)
      await vi.waitUntil(() => stage.world.rpc('eth_getTransactionReceipt', [transaction]), {
        timeout: 60_000,
      })
    }
    await service.kill()
    return 'drop'
  })
}

function dieAtFacilitator({ stage, service, id }: Scene, act: (die: () => Promise<void>) => SettleAct): void {
  stage.world.facilitator.plan(
    id,
    act(() => service.kill()),
  )
}
