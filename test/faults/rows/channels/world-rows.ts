import { randomBytes } from 'node:crypto'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { type Hex, toHex } from 'viem'
import { type ChannelBuyer, channelBuyer, channelOnChain, untilDefinite } from '../../bench/channel-buyer.ts'
import {
  type ChannelFaultRow,
  claimsUntil,
  goesOn,
  openedAt,
  planDeposit,
  sendAndRepeat,
  storeOf,
} from '../../bench/channel-row.ts'
import { HONEST } from '../../bench/facilitator-proxy.ts'
import { frozenAt, type NodeProxy, type NodeRule, PASS } from '../../bench/node-proxy.ts'
import { IN_DOUBT, NO_FACILITATOR, NO_NODE, untilPayments } from '../../bench/row.ts'
import { settlementAct } from '../../bench/settlement-act.ts'
import type { SoleService, Stage } from '../../bench/stage.ts'
import { PRICE } from '../../bench/world.ts'

const DOWN: NodeRule = () => 'drop'

/** A node that fails, a facilitator that lies, a claim that reverts, and a store that is older than the chain. */
export const CHANNEL_WORLD_ROWS: readonly ChannelFaultRow[] = [
  nodeRow('node down during a call', 'verdict', 3, goDown),
  nodeRow('node down when a call brings a deposit', NO_NODE, 2, goDown),
  nodeRow('node goes down when a deposit has landed', IN_DOUBT, 2, ({ stage, node, buyer, url }) =>
    planDeposit(stage, buyer, url, { ...HONEST, landed: () => node.treat(DOWN) }),
  ),
  nodeRow('node does not show a deposit that has landed', IN_DOUBT, 2, ({ stage, node, buyer, url }) =>
    planDeposit(stage, buyer, url, {
      ...HONEST,
      arrived: async () => node.treat(frozenAt((await stage.world.rpc('eth_blockNumber')) as string)),
    }),
  ),
  lieRow('a deposit that it did not send, with an invented transaction', 'never', true, IN_DOUBT),
  lieRow('a deposit that it did not send, without a transaction', 'never', false, IN_DOUBT),
  lieRow('a deposit that landed, with an invented transaction', 'before', true, 'verdict'),
  {
    fault: 'facilitator says that a deposit failed, which landed',
    on: 'SQLite',
    expected: goesOn('verdict', 2),
    play: async (stage) => {
      const { url } = await stage.file()
      const buyer = await channelBuyer(stage.world)
      const refusal = { success: false, errorReason: 'invalid_batch_settlement_evm_insufficient_balance' }
      const struck = await planDeposit(stage, buyer, url, { lands: 'before', says: () => refusal })
      return sendAndRepeat(buyer, url, undefined, { struck })
    },
  },
  {
    fault: 'the claim of one channel of a batch reverts until its voucher is mended',
    on: 'SQLite',
    expected: goesOn('the others claimed', 2, 'all claimed'),
    play: async (stage) => {
      const { url, service } = await stage.ownFile()
      const buyers = await Promise.all(Array.from({ length: 5 }, () => openedAt(stage, url)))
      const ids = await Promise.all(buyers.map((each) => each.channelAt(url)))
      const offender = ids[2] as Hex
      const claimed = async () => {
        const states = await Promise.all(ids.map((id) => channelOnChain(stage.world, id)))
        return states.filter((state) => state.claimed >= PRICE).length
      }
      const signature = signVoucherOf(service, offender, toHex(randomBytes(65)))
      await claimsUntil(service, async () => (await claimed()) === 4)
      const isLeft = (await channelOnChain(stage.world, offender)).claimed === 0n
      signVoucherOf(service, offender, signature)
      await claimsUntil(service, async () => (await claimed()) === 5)
      const first = isLeft ? 'the others claimed' : 'all claimed'
      return { buyer: buyers[2] as ChannelBuyer, url, first, repeated: 'all claimed' }
    },
  },
  {
    fault: 'no claim is mined; calls go on to the bound of USD 5 that may be unclaimed',
    on: 'SQLite, FACILITATOR_URL=self',
    expected: goesOn(NO_FACILITATOR, 6_001),
    play: async (stage) => {
      const { url, node } = await stage.ownSettler()
      const buyer = await channelBuyer(stage.world, { deposit: 7_000_000n })
      node.treat((request) => (settlementAct(request) === 'claimWithSignature' ? 'drop' : request))
      const lists = Array.from({ length: 6 }, () => Array.from({ length: 1_000 }, () => buyer.value()))
      const last = lists.pop() as string[]
      for (const list of lists) await untilDefinite(() => buyer.buyList(url, list))
      const first = await buyer.buyList(url, last)
      node.treat(PASS)
      return { buyer, url, first, repeated: await untilDefinite(() => buyer.buyList(url, last)) }
    },
  },
  restored('calls since then were claimed', true, goesOn('verdict', 5)),
  {
    ...restored('calls since then were not claimed', false, {
      ...{ first: '402 channel_out_of_step', repeated: 'verdict', answered: 5, charged: 3, next: 'verdict' },
    }),
    outside: true,
  },
]

type Scene = SoleService & {
  readonly stage: Stage
  readonly node: NodeProxy
  readonly buyer: ChannelBuyer
}

/** Arms a fault; whether it has struck. */
type Arm = (scene: Scene) => Promise<() => boolean>

async function goDown({ node }: Scene): Promise<() => boolean> {
  node.treat(DOWN)
  return () => true
}

function nodeRow(fault: string, first: string, calls: number, arm: Arm): ChannelFaultRow {
  return {
    fault,
    on: 'SQLite',
    shares: 'node',
    expected: goesOn(first, calls),
    play: async (stage) => {
      const target = await stage.withNode()
      const { url, node } = target
      // The row before may have left the service with a node that was down when it looked last.
      await untilPayments(url)
      const buyer = await (calls === 2 ? channelBuyer(stage.world) : openedAt(stage, url))
      const struck = await arm({ ...target, stage, buyer })
      return sendAndRepeat(buyer, url, async () => node.treat(PASS), { struck })
    },
  }
}

/** The facilitator says success for a deposit, whatever it did; another channel of the service is claimed meanwhile. */
function lieRow(what: string, lands: 'never' | 'before', isNamed: boolean, first: string): ChannelFaultRow {
  return {
    fault: `facilitator says success for ${what}`,
    on: 'SQLite',
    expected: goesOn(first, 2),
    play: async (stage) => {
      const { url } = await stage.fileFor('lies')
      const buyer = await channelBuyer(stage.world)
      const struck = await planDeposit(stage, buyer, url, {
        lands,
        says: (_truth, payer) => ({
          ...{ success: true, payer, network: 'eip155:8453' },
          transaction: isNamed ? toHex(randomBytes(32)) : '',
        }),
      })
      const other = await openedAt(stage, url)
      const id = await other.channelAt(url)
      const heal = async () => {
        await other.withdraw(url)
        while ((await channelOnChain(stage.world, id)).claimed < PRICE) await sleep(200)
      }
      return sendAndRepeat(buyer, url, heal, { struck })
    },
  }
}

/** Puts another signature on a channel's voucher in the store; returns the former one. */
function signVoucherOf(service: SoleService['service'], id: string, signature: string): string {
  const store = new Database(storeOf(service))
  const before = store.prepare('select signature from channels where id = ?').pluck().get(id) as string
  store.prepare('update channels set signature = ? where id = ?').run(signature, id)
  store.close()
  return before
}

/** Two calls are bought after the backup that is put back. */
function restored(what: string, isClaimed: boolean, expected: ChannelFaultRow['expected']): ChannelFaultRow {
  return {
    fault: `an older backup of the store is put back; ${what}`,
    on: 'SQLite',
    expected,
    play: async (stage) => {
      const { url, service } = await stage.ownFile()
      const store = storeOf(service)
      const backup = join(service.scratch, 'backup.sqlite')
      const buyer = await openedAt(stage, url)
      const id = await buyer.channelAt(url)
      const database = new Database(store, { readonly: true })
      await database.backup(backup)
      database.close()
      for (let call = 0; call < 2; call += 1) await buyer.insist(url, buyer.value())
      if (isClaimed) {
        const isDone = async () => (await channelOnChain(stage.world, id)).claimed === 3n * PRICE
        await claimsUntil(service, isDone)
      }
      await service.stop()
      for (const end of ['', '-wal', '-shm']) rmSync(store + end, { force: true })
      copyFileSync(backup, store)
      await service.start()
      return sendAndRepeat(buyer, url)
    },
  }
}
