import { randomBytes } from 'node:crypto'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { toHex } from 'viem'
import { type ChannelBuyer, channelBuyer, channelOnChain } from '../../bench/channel-buyer.ts'
import { type ChannelFaultRow, claimsAre, goesOn, openedAt, sendAndRepeat } from '../../bench/channel-row.ts'
import { frozenAt, type NodeProxy, type NodeRule, PASS } from '../../bench/node-proxy.ts'
import { IN_DOUBT, NO_FACILITATOR } from '../../bench/row.ts'
import type { SoleService, Stage } from '../../bench/stage.ts'
import { PRICE } from '../../bench/world.ts'

const DOWN: NodeRule = () => 'drop'

/** A node that fails, a facilitator that lies, a claim that reverts, and a store that is older than the chain. */
export const CHANNEL_WORLD_ROWS: readonly ChannelFaultRow[] = [
  nodeRow('node down during a call', 'verdict', 3, async ({ node }) => node.treat(DOWN)),
  nodeRow('node down when a call brings a deposit', NO_FACILITATOR, 2, async ({ node }) => node.treat(DOWN)),
  nodeRow(
    'node goes down when a deposit has landed',
    NO_FACILITATOR,
    2,
    async ({ stage, node, buyer, url }) => {
      stage.world.facilitator.plan(await buyer.channelAt(url), {
        ...{ lands: 'before', says: 'truth' },
        landed: () => node.treat(DOWN),
      })
    },
  ),
  nodeRow(
    'node does not show a deposit that has landed',
    IN_DOUBT,
    2,
    async ({ stage, node, buyer, url }) => {
      stage.world.facilitator.plan(await buyer.channelAt(url), {
        ...{ lands: 'before', says: 'truth' },
        arrived: async () => node.treat(frozenAt((await stage.world.rpc('eth_blockNumber')) as string)),
      })
    },
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
      stage.world.facilitator.plan(await buyer.channelAt(url), { lands: 'before', says: () => refusal })
      return sendAndRepeat(buyer, url)
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
      const offender = ids[2] as string
      const claimed = async () => {
        const states = await Promise.all(ids.map((id) => channelOnChain(stage.world, id)))
        return states.map((state) => state.claimed === PRICE)
      }
      await service.stop()
      const signature = signVoucherOf(service, offender, toHex(randomBytes(65)))
      await claimsAre(service, 1, async () => (await claimed()).filter(Boolean).length === 4)
      const first = (await claimed())[2] === false ? 'the others claimed' : 'all claimed'
      await service.stop()
      signVoucherOf(service, offender, signature)
      await claimsAre(service, 2, async () => (await claimed())[2] === true)
      return { buyer: buyers[2] as ChannelBuyer, url, first, repeated: 'all claimed' }
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

function nodeRow(
  fault: string,
  first: string,
  calls: number,
  arm: (scene: Scene) => Promise<unknown>,
): ChannelFaultRow {
  return {
    fault,
    on: 'SQLite',
    expected: goesOn(first, calls),
    play: async (stage) => {
      const node = await stage.world.nodeProxy()
      const target = await stage.ownFile({ node })
      const { url } = target
      const buyer = await (calls === 2 ? channelBuyer(stage.world) : openedAt(stage, url))
      await arm({ ...target, stage, node, buyer })
      return sendAndRepeat(buyer, url, async () => node.treat(PASS))
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
      stage.world.facilitator.plan(await buyer.channelAt(url), {
        lands,
        says: (_truth, payer) => ({
          ...{ success: true, payer, network: 'eip155:8453' },
          transaction: isNamed ? toHex(randomBytes(32)) : '',
        }),
      })
      const other = await openedAt(stage, url)
      const id = await other.channelAt(url)
      return sendAndRepeat(buyer, url, async () => {
        await other.withdraw(url)
        while ((await channelOnChain(stage.world, id)).claimed < PRICE) await sleep(200)
      })
    },
  }
}

/** Puts another signature on a channel's voucher in the store of a service that is stopped; returns the former one. */
function signVoucherOf({ scratch }: SoleService['service'], id: string, signature: string): string {
  const store = new Database(join(scratch, 'data', STORE))
  const before = store.prepare('select signature from channels where id = ?').pluck().get(id) as string
  store.prepare('update channels set signature = ? where id = ?').run(signature, id)
  store.close()
  return before
}

const STORE = 'ledger.sqlite'

/** Two calls are bought after the backup that is put back. */
function restored(what: string, isClaimed: boolean, expected: ChannelFaultRow['expected']): ChannelFaultRow {
  return {
    fault: `an older backup of the store is put back; ${what}`,
    on: 'SQLite',
    expected,
    play: async (stage) => {
      const { url, service } = await stage.ownFile()
      const [data, backup] = [join(service.scratch, 'data'), join(service.scratch, 'backup')]
      const buyer = await openedAt(stage, url)
      const id = await buyer.channelAt(url)
      await service.stop()
      cpSync(data, backup, { recursive: true })
      await service.start()
      for (let call = 0; call < 2; call += 1) await buyer.insist(url, buyer.value())
      await service.stop()
      if (isClaimed) {
        const isDone = async () => (await channelOnChain(stage.world, id)).claimed === 3n * PRICE
        await claimsAre(service, 1, isDone)
        await service.stop()
      }
      rmSync(data, { recursive: true })
      cpSync(backup, data, { recursive: true })
      await service.start()
      return sendAndRepeat(buyer, url)
    },
  }
}
