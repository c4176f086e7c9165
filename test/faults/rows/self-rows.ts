import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type NodeRule, PASS, type RpcRequest, type Treatment } from '../bench/node-proxy.ts'
import { shown } from '../bench/order.ts'
import {
  IN_DOUBT,
  NO_ANSWER,
  NO_NODE,
  NOT_REPEATED,
  openScene,
  played,
  type Row,
  soldAfter,
} from '../bench/row.ts'
import type { Stage } from '../bench/stage.ts'
import type { World } from '../bench/world.ts'

type Settler = Awaited<ReturnType<Stage['ownSettler']>>

/** What happens to the first broadcast, and whether the process dies. */
interface Fault {
  readonly what: string
  readonly first: string
  readonly dies?: true
  treat(request: RpcRequest, world: World, settler: Settler): Promise<Treatment>
}

const DOWN: NodeRule = () => 'drop'
const forward = (world: World, { method, params }: RpcRequest) => world.rpc(method, params)

const FAULTS: readonly Fault[] = [
  {
    what: 'the broadcast does not arrive',
    first: 'verdict',
    treat: async () => 'drop',
  },
  {
    what: 'the answer to the broadcast is lost',
    first: 'verdict',
    treat: async (request, world) => {
      await forward(world, request)
      return 'drop'
    },
  },
  {
    what: 'node down from the broadcast on, which did not arrive',
    first: IN_DOUBT,
    treat: async (_request, _world, { node }) => {
      node.treat(DOWN)
      return 'drop'
    },
  },
  {
    what: 'node down from the broadcast on, which arrived',
    first: IN_DOUBT,
    treat: async (request, world, { node }) => {
      await forward(world, request)
      node.treat(DOWN)
      return 'drop'
    },
  },
  {
    what: 'another program sends with the key and takes the nonce',
    first: 'verdict',
    treat: async (request, world, { key }) => {
      await spendNumber(world, key)
      return request
    },
  },
  {
    what: 'SIGKILL before the broadcast; restart',
    first: NO_ANSWER,
    dies: true,
    treat: async (_request, _world, { service }) => {
      await service.kill()
      return 'drop'
    },
  },
  {
    what: 'SIGKILL after the broadcast; restart',
    first: NO_ANSWER,
    dies: true,
    treat: async (request, world, { service }) => {
      await forward(world, request)
      await service.kill()
      return 'drop'
    },
  },
]

/** A service that settles itself, and what can go wrong when it sends. */
export const SELF_ROWS: readonly Row[] = [
  ...FAULTS.map(selfRow),
  {
    fault: 'SIGKILL before the broadcast; restart; not repeated before validBefore',
    on: 'SQLite, FACILITATOR_URL=self',
    expected: soldAfter(NO_ANSWER, NOT_REPEATED),
    play: async (stage) => {
      const settler = await stage.ownSettler()
      const scene = await openScene(stage, settler)
      settler.node.treat(async (request) => {
        if (request.method !== 'eth_sendRawTransaction') return request
        await settler.service.kill()
        return 'drop'
      })
      const first = shown(await scene.order.send(scene.url))
      settler.node.treat(PASS)
      await settler.service.start()
      // The successor finds the transaction in the store and offers it again.
      while ((await stage.world.balance(scene.payTo)) === 0n) await sleep(200)
      return played(scene, first, NOT_REPEATED)
    },
  },
  {
    fault: 'node goes away, then a sale',
    on: 'SQLite, FACILITATOR_URL=self',
    expected: soldAfter(NO_NODE),
    play: async (stage) => {
      const settler = await stage.ownSettler()
      const scene = await openScene(stage, settler)
      settler.node.treat(DOWN)
      const first = shown(await scene.order.send(scene.url))
      settler.node.treat(PASS)
      return played(scene, first, shown(await scene.order.insist(scene.url)))
    },
  },
  {
    fault: 'gas costs more than SETTLEMENT_MAX_COST_USD, which is then raised',
    on: 'SQLite, FACILITATOR_URL=self',
    expected: soldAfter('503 sales_paused'),
    play: async (stage) => {
      const settler = await stage.ownSettler({ SETTLEMENT_MAX_COST_USD: '0.000001' })
      const scene = await openScene(stage, settler)
      const first = shown(await scene.order.send(scene.url))
      await settler.service.stop()
      await settler.service.start({ SETTLEMENT_MAX_COST_USD: '1000', SETTLEMENT_DAILY_LOSS_USD: '100000' })
      return played(scene, first, shown(await scene.order.insist(scene.url)))
    },
  },
]

function selfRow(fault: Fault): Row {
  return {
    fault: fault.what,
    on: 'SQLite, FACILITATOR_URL=self',
    expected: soldAfter(fault.first),
    play: async (stage) => {
      const settler = await stage.ownSettler()
      const scene = await openScene(stage, settler)
      const met = { once: false }
      settler.node.treat((request) => {
        if (request.method !== 'eth_sendRawTransaction' || met.once) return request
        met.once = true
        return fault.treat(request, stage.world, settler)
      })
      const first = shown(await scene.order.send(scene.url))
      if (!met.once) throw new Error('nothing was broadcast')
      settler.node.treat(PASS)
      if (fault.dies === true) await settler.service.start()
      return played(scene, first, shown(await scene.order.insist(scene.url)))
    },
  }
}

/** Sends another program's transaction from the account, at its next number. */
async function spendNumber(world: World, key: Hex): Promise<void> {
  const account = privateKeyToAccount(key)
  const nonce = Number(await world.rpc('eth_getTransactionCount', [account.address, 'latest']))
  const signed = await account.signTransaction({
    type: 'eip1559',
    chainId: 8453,
    nonce,
    gas: 21_000n,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 10n ** 9n,
    to: account.address,
  })
  const hash = await world.rpc('eth_sendRawTransaction', [signed])
  // The nonce is used once the transaction is mined, not while it is pending.
  while ((await world.rpc('eth_getTransactionReceipt', [hash])) === null) await sleep(20)
}
