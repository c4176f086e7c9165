import { encodeAbiParameters, toFunctionSelector } from 'viem'
import { createMutex } from '../../../src/payments/facilitators/self/queue/mutex.ts'
import type { SettleAct } from '../bench/facilitator-proxy.ts'
import { frozenAt, type NodeRule, PASS } from '../bench/node-proxy.ts'
import { shown, stateOf } from '../bench/order.ts'
import {
  type Ending,
  expiredAfter,
  IN_DOUBT,
  NO_NODE,
  openScene,
  played,
  type Row,
  soldAfter,
  untilPayments,
  whenCharged,
} from '../bench/row.ts'
import type { Stage } from '../bench/stage.ts'

const ASKS_USED = toFunctionSelector('authorizationState(address,bytes32)')
const asksUsed = (method: string, params: readonly unknown[]) =>
  method === 'eth_call' && (params[0] as { data: string }).data.startsWith(ASKS_USED)
const word = (value: boolean) => encodeAbiParameters([{ type: 'bool' }], [value])

/** A node that says of every authorization whether it was used, as it likes. */
const saysUsed =
  (used: boolean): NodeRule =>
  (request) =>
    asksUsed(request.method, request.params) ? { result: word(used) } : request

/** Used, says the node, and shows whatever else was paid. */
const showsOthers: NodeRule = (request) => {
  if (asksUsed(request.method, request.params)) return { result: word(true) }
  if (request.method !== 'eth_getLogs') return request
  const [filter] = request.params as [{ topics: unknown[] }]
  return { ...request, params: [{ ...filter, topics: filter.topics.slice(0, 1) }] }
}

const USED = '409 payment_already_used'

/** What each fault leaves of a transfer that landed, and of none, while it lasts. */
const FAULTS: readonly (readonly [
  what: string,
  rule: (head: string) => NodeRule,
  landed: string,
  none: string,
])[] = [
  ['down', () => () => 'drop', IN_DOUBT, IN_DOUBT],
  ['rate-limited', () => () => 'limit', IN_DOUBT, IN_DOUBT],
  ['lagging', frozenAt, IN_DOUBT, IN_DOUBT],
  ['lying: every authorization was used', () => saysUsed(true), 'verdict', USED],
  ['lying: no authorization was used', () => saysUsed(false), IN_DOUBT, IN_DOUBT],
  ['lying: shows the payments of all others', () => showsOthers, 'verdict', USED],
]
const LOST: SettleAct = { lands: 'before', says: 'reset' }
const NEVER: SettleAct = { lands: 'never', says: 'reset' }

/** Nothing was charged; the reply says that it was sold elsewhere, until the node tells the truth. */
const BURIED: Ending = expiredAfter(USED, USED)

/** Who reads the node. Rows on one service share its node, which fails for all at once: one row at a time. */
interface Reader {
  readonly on: string
  target(stage: Stage): ReturnType<Stage['withNode']>
  inTurn<T>(work: () => Promise<T>): Promise<T>
}
const SHARED: Reader = { on: 'SQLite', target: (stage) => stage.withNode(), inTurn: createMutex() }
const CAREFUL: Reader = {
  on: 'SQLite, SETTLEMENT_PROOF=chain',
  target: (stage) => stage.carefulWithNode(),
  inTurn: (work) => work(),
}

/** A node that fails while the facilitator is honest, and has perhaps lost its answer. */
export const NODE_ROWS: readonly Row[] = [
  ...FAULTS.flatMap(([what, rule, landed, none]) => [
    row(
      `node ${what}; the facilitator answers`,
      rule,
      { lands: 'before', says: 'truth' },
      soldAfter('verdict'),
    ),
    row(`node ${what}; the answer is lost, the transfer landed`, rule, LOST, soldAfter(landed)),
    row(
      `node ${what}; the answer is lost, no transfer`,
      rule,
      NEVER,
      none === USED ? BURIED : soldAfter(none),
    ),
  ]),
  row(
    'node lying: every authorization was used; the answer is lost, the transfer lands afterwards',
    () => saysUsed(true),
    { lands: 'after', says: 'reset' },
    soldAfter(USED),
  ),
  ...FAULTS.map(([what, rule, landed]) =>
    row(
      `node ${what}; the facilitator answers`,
      rule,
      { lands: 'before', says: 'truth' },
      soldAfter(landed),
      CAREFUL,
    ),
  ),
  pausing('stands still for 30 seconds', (head) => frozenAt(head), 'chain_stalled'),
  pausing('goes away', () => () => 'drop', 'chain_unavailable'),
  {
    fault: 'node away when the service starts, then of another chain, the right one later',
    on: 'SQLite',
    expected: soldAfter(NO_NODE),
    play: async (stage) => {
      const node = await stage.world.nodeProxy()
      node.treat(() => 'drop')
      const scene = await openScene(stage, await stage.ownFile({ node }))
      node.treat((request) => (request.method === 'eth_chainId' ? { result: '0x1' } : request))
      const first = shown(await scene.order.send(scene.url))
      node.treat(PASS)
      return played(scene, first, shown(await scene.order.insist(scene.url)))
    },
  },
  {
    fault: 'node down, the first of two; the answer is lost, the transfer landed',
    on: 'SQLite',
    expected: soldAfter('verdict'),
    play: async (stage) => {
      const node = await stage.world.nodeProxy()
      const environment = { RPC_URL: `${node.url},${stage.world.rpcUrl}` }
      const scene = await openScene(stage, await stage.ownFile({ node, environment }))
      stage.world.facilitator.plan(scene.order.nonce, { ...LOST, landed: () => node.treat(() => 'drop') })
      const first = shown(await scene.order.send(scene.url))
      return played(scene, first, shown(await scene.order.insist(scene.url)))
    },
  },
]

/** A sale that comes while the node is unusable is not claimed; the same request is sold later. */
function pausing(what: string, rule: (head: string) => NodeRule, reason: string): Row {
  return {
    fault: `node ${what}, then a sale`,
    on: 'SQLite',
    expected: soldAfter(NO_NODE),
    play: async (stage) => {
      const node = await stage.world.nodeProxy()
      const scene = await openScene(stage, await stage.ownFile({ node }))
      node.treat(rule((await stage.world.rpc('eth_blockNumber')) as string))
      await untilPayments(scene.url, reason)
      const first = shown(await scene.order.send(scene.url))
      node.treat(PASS)
      return played(scene, first, shown(await scene.order.insist(scene.url)))
    },
  }
}

function row(
  fault: string,
  rule: (head: string) => NodeRule,
  act: SettleAct,
  expected: Ending,
  reader = SHARED,
): Row {
  return {
    fault,
    on: reader.on,
    expected,
    play: (stage) =>
      reader.inTurn(async () => {
        const target = await reader.target(stage)
        const scene = await openScene(stage, target)
        // The row before may have left the service with a node that was down when it looked last.
        await untilPayments(scene.url)
        const head = (await stage.world.rpc('eth_blockNumber')) as string
        const landed = () => target.node.treat(rule(head))
        const answered = Promise.withResolvers<void>()
        stage.world.facilitator.plan(scene.order.nonce, { ...act, landed, until: answered.promise })
        const first = shown(await scene.order.send(scene.url))
        const state = await stateOf(scene.url, scene.order)
        answered.resolve()
        if (act.lands === 'after') await whenCharged(scene)
        target.node.treat(PASS)
        if (first !== 'verdict' && state === 'settled') throw new Error('a false settlement was written down')
        return played(scene, first, shown(await scene.order.insist(scene.url)))
      }),
  }
}
