/** Paid calls settled by the service itself on a local chain, beside the reference with a plain wallet. */
import { randomBytes } from 'node:crypto'
import { toEventSelector } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { startAnvil } from '../../src/sandbox/chain/anvil.ts'
import { findAnvil } from '../../src/sandbox/chain/anvil-binary.ts'
import { callRpc } from '../../src/sandbox/chain/json-rpc.ts'
import { giveEther, mintTokens, provisionChain } from '../../src/sandbox/chain/provision.ts'
import type { Bench, RowPlan } from '../bench.ts'
import { middle } from '../compare.ts'
import type { Load, Window } from '../load/load.ts'
import { termsOf } from '../load/recorded-answer.ts'
import { buyersOf } from '../load/sign-payments.ts'
import { median } from '../median.ts'
import { figuresOf } from '../report/figures.ts'
import type { Claim, Row } from '../report/row.ts'
import { startCountingNode } from '../servers/counting-node.ts'
import { PAY_TO, type Server, startOurs, startServer } from '../servers/our-service.ts'

const CONCURRENCIES = [1, 8, 32] as const
/** Sales at a time on blocks of two seconds, and how many a second are wanted at least. */
const IN_BLOCKS: readonly (readonly [atATime: number, rate?: number])[] = [
  [1],
  [32, 15],
  [64, 30],
  [96],
  [200, 90],
]
const BLOCK_SECONDS = 2
/** Blocks that each number of sales at a time is watched for, at full effort. */
const BLOCKS = 6
const LONGEST_MS = 120_000
/** More than calls at a time: one payer who asks twice for the same is answered from the first payment. */
const PAYERS = 256
/** Of stock and of our second service: the audit of the first one would find transfers of which its store knows nothing. */
const STOCK_PAY_TO = `0x${'cd'.repeat(20)}`
const OTHER_PAY_TO = `0x${'ab'.repeat(20)}`
/** From so many sales in a transaction on the gas of one has a target. */
const [LARGE, MOST_GAS] = [16, 49_000]

export const selfSettled: RowPlan = {
  id: 'self-settled',
  async run({ load, world, effort }) {
    const binary = findAnvil()
    if (binary === undefined) return []
    const anvil = await startAnvil({ binary })
    const { rpcUrl } = anvil
    const node = await startCountingNode(rpcUrl)
    const servers: Server[] = []
    try {
      await provisionChain(rpcUrl)
      for (const { address } of buyersOf(PAYERS)) await mintTokens(rpcUrl, address, 10n ** 12n)
      const start = async (url: string, payTo: string) => {
        const settler = `0x${randomBytes(32).toString('hex')}` as const
        await giveEther(rpcUrl, privateKeyToAddress(settler))
        // Gas on the local chain costs more than on Base, where sales pause at that price.
        const own = {
          FACILITATOR_URL: 'self',
          SETTLEMENT_MAX_COST_USD: '100',
          // Each sale under way reserves the most that one may cost; three quarters of a day are for sales.
          SETTLEMENT_DAILY_LOSS_USD: '100000',
        }
        const ours = await startOurs(world, {
          env: { RPC_URL: url, SETTLEMENT_KEY: settler, PAY_TO: payTo, ...own },
        })
        servers.push(ours)
        return { ours, settler }
      }
      const { ours, settler } = await start(rpcUrl, PAY_TO)
      const stock = await startServer('stock-self.ts', {
        RPC_URL: rpcUrl,
        SETTLEMENT_KEY: settler,
        PAY_TO: STOCK_PAY_TO,
      })
      servers.push(stock)
      const best = { rate: 0, at: 0 }
      const stocks: Row['figures'][number][] = []
      for (const connections of CONCURRENCIES) {
        const windows = await driveRounds(
          { load, effort },
          stock,
          connections,
          Math.ceil(effort.payments / 16),
        )
        const rate = middle(windows, 'rate')
        const [figure] = figuresOf({ [`stock, ${connections} at a time`]: windows })
        stocks.push({ ...figure!, other: `${percentAnswered(windows)} answered` })
        if (rate > best.rate) Object.assign(best, { rate, at: connections })
      }
      const windows = await driveRounds({ load, effort }, ours, 32, Math.ceil(effort.payments / 4))
      const row: Row = {
        id: 'self-settled',
        work: 'paid call settled in process on a local chain, concurrency 32',
        figures: [...figuresOf({ ours: windows }), ...stocks],
        claims: [
          { what: 'share answered', value: shareAnswered(windows), target: 1 },
          {
            what: `successful calls/s against the best of stock (concurrency ${best.at})`,
            value: middle(windows, 'rate') / best.rate,
            target: 2,
          },
        ],
      }
      await callRpc(rpcUrl, 'evm_setAutomine', [false])
      await callRpc(rpcUrl, 'evm_setIntervalMining', [BLOCK_SECONDS])
      const inBlocks = await start(node.url, OTHER_PAY_TO)
      return [row, await inBlocksOf({ load, effort }, inBlocks.ours, { rpcUrl, node })]
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
      await node.stop()
      await anvil.stop()
    }
  },
}

/** The same on blocks of two seconds, with the requests to the node and the gas that a sale takes. */
async function inBlocksOf(
  { load, effort }: Pick<Bench, 'load' | 'effort'>,
  ours: Server,
  { rpcUrl, node }: { readonly rpcUrl: string; readonly node: Awaited<ReturnType<typeof startCountingNode>> },
): Promise<Row> {
  const figures: Row['figures'][number][] = []
  const claims: Claim[] = []
  const notes: string[] = []
  // Payers seen before: the first of a payer takes a look at its code and a new slot of the token.
  await drive(load, ours, PAYERS / 2, PAYERS)
  const first = await blockNumber(rpcUrl)
  const blocks = Math.max(1, Math.round((BLOCKS * effort.payments) / 4_000))
  for (const [atATime, rate] of IN_BLOCKS) {
    const { seen: before } = node.count()
    const window = await drive(load, ours, atATime, atATime * blocks)
    const requests = node.count().seen - before
    const [figure] = figuresOf({ [`${atATime} at a time`]: [window] })
    figures.push({
      ...figure!,
      other: `${(requests / window.answered).toFixed(2)} requests to the node a sale`,
    })
    claims.push({ what: `share answered, ${atATime} at a time`, value: shareAnswered([window]), target: 1 })
    if (rate === undefined) continue
    claims.push(
      { what: `sales/s, ${atATime} at a time`, value: window.rate, target: rate },
      {
        what: `requests to the node a sale, ${atATime} at a time`,
        value: requests / window.answered,
        target: 1,
        side: 'at most',
      },
    )
  }
  const batches = await batchesSince(rpcUrl, first)
  const large = batches.filter(({ sales }) => sales >= LARGE).map(({ gas, sales }) => gas / sales)
  if (large.length > 0)
    claims.push({
      what: `gas a sale, ${LARGE} or more together`,
      value: median(large),
      target: MOST_GAS,
      side: 'at most',
    })
  notes.push(
    `${batches.length} transactions, at most ${Math.max(...batches.map(({ sales }) => sales))} sales in one`,
  )
  return {
    id: 'self-settled-blocks',
    work: `the same on blocks of ${BLOCK_SECONDS} s`,
    figures,
    claims,
    notes,
  }
}

/** A window of so many payments, signed before the clock runs. */
async function drive(load: Load, server: Server, connections: number, count: number): Promise<Window> {
  const required = await termsOf(server.port)
  const source = { kind: 'paid', surface: 'rest', count, required, payers: PAYERS } as const
  return load.drive(server.pid, {
    port: server.port,
    connections,
    milliseconds: LONGEST_MS,
    expected: 200,
    source,
  })
}

/** The counted windows; one before them is for warming up. */
async function driveRounds(
  { load, effort }: Pick<Bench, 'load' | 'effort'>,
  server: Server,
  connections: number,
  count: number,
): Promise<readonly Window[]> {
  const windows: Window[] = []
  for (let round = -1; round < effort.rounds; round++)
    windows.push(await drive(load, server, connections, count))
  return windows.slice(1)
}

const USED = toEventSelector('AuthorizationUsed(address,bytes32)')

const blockNumber = async (rpcUrl: string) => Number(await callRpc(rpcUrl, 'eth_blockNumber', []))

/** The gas and the sales of each transaction that settled any. */
async function batchesSince(rpcUrl: string, after: number) {
  const last = await blockNumber(rpcUrl)
  const batches: { readonly gas: number; readonly sales: number }[] = []
  for (let at = after + 1; at <= last; at += 1) {
    const receipts = (await callRpc(rpcUrl, 'eth_getBlockReceipts', [`0x${at.toString(16)}`])) as {
      readonly gasUsed: string
      readonly logs: readonly { readonly topics: readonly string[] }[]
    }[]
    for (const { gasUsed, logs } of receipts) {
      const sales = logs.filter(({ topics }) => topics[0] === USED).length
      if (sales > 0) batches.push({ gas: Number(gasUsed), sales })
    }
  }
  return batches
}

function shareAnswered(windows: readonly Window[]): number {
  const answered = windows.reduce((sum, window) => sum + window.answered, 0)
  const others = windows.flatMap((window) => Object.values(window.others)).reduce((sum, one) => sum + one, 0)
  return answered / (answered + others)
}

const percentAnswered = (windows: readonly Window[]) => `${Math.round(100 * shareAnswered(windows))} %`
