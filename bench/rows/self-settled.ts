/** Paid calls settled by the service itself on a local chain, beside the reference with a plain wallet. */
import { randomBytes } from 'node:crypto'
import { privateKeyToAddress } from 'viem/accounts'
import { startAnvil } from '../../src/sandbox/chain/anvil.ts'
import { findAnvil } from '../../src/sandbox/chain/anvil-binary.ts'
import { giveEther, mintTokens, provisionChain } from '../../src/sandbox/chain/provision.ts'
import type { RowPlan } from '../bench.ts'
import { compare, middle } from '../compare.ts'
import type { Window } from '../load/load.ts'
import { termsOf } from '../load/recorded-answer.ts'
import { buyersOf } from '../load/sign-payments.ts'
import { figuresOf } from '../report/figures.ts'
import type { Row } from '../report/row.ts'
import { PAY_TO, type Server, startOurs, startServer } from '../servers/our-service.ts'

const CONCURRENCIES = [1, 8, 32] as const
const LONGEST_MS = 120_000
/** More than calls at a time: one payer who asks twice for the same is answered from the first payment. */
const PAYERS = 64

export const selfSettled: RowPlan = {
  id: 'self-settled',
  async run({ load, world, effort }) {
    const binary = findAnvil()
    if (binary === undefined) return []
    const anvil = await startAnvil({ binary })
    const { rpcUrl } = anvil
    const settler = `0x${randomBytes(32).toString('hex')}` as const
    const servers: Server[] = []
    try {
      await provisionChain(rpcUrl)
      await giveEther(rpcUrl, privateKeyToAddress(settler))
      for (const { address } of buyersOf(PAYERS)) await mintTokens(rpcUrl, address, 10n ** 12n)
      const env = { RPC_URL: rpcUrl, SETTLEMENT_KEY: settler }
      // Gas on the local chain costs more than on Base, where sales pause at that price.
      const own = {
        FACILITATOR_URL: 'self',
        SETTLEMENT_MAX_COST_USD: '1000',
        SETTLEMENT_DAILY_LOSS_USD: '100000',
      }
      const ours = await startOurs(world, { env: { ...env, ...own } })
      servers.push(ours)
      const stock = await startServer('stock-self.ts', { ...env, PAY_TO })
      servers.push(stock)
      const best = { rate: 0, at: 0 }
      const stranded: string[] = []
      const race = async (name: string, server: Server, connections: number) => {
        const required = await termsOf(server.port)
        const count = Math.ceil(effort.payments / 16)
        const source = { kind: 'paid', surface: 'rest', count, required, payers: PAYERS } as const
        const job = { port: server.port, connections, milliseconds: LONGEST_MS, expected: 200, source }
        const series = await compare(load, [{ name, pid: server.pid, job }], effort.rounds)
        return series[name]!
      }
      for (const connections of CONCURRENCIES) {
        const windows = await race('stock', stock, connections)
        const rate = middle(windows, 'rate')
        stranded.push(`${connections} at a time: ${percentAnswered(windows)} answered, ${rate.toFixed(1)}/s`)
        if (rate > best.rate) Object.assign(best, { rate, at: connections })
      }
      const windows = await race('ours', ours, 32)
      const row: Row = {
        id: 'self-settled',
        work: 'paid call settled in process on a local chain, concurrency 32',
        figures: figuresOf({ ours: windows }),
        claims: [
          { what: 'share answered', value: shareAnswered(windows), target: 1 },
          {
            what: `successful calls/s against the best of stock (concurrency ${best.at})`,
            value: middle(windows, 'rate') / best.rate,
            target: 1.5,
          },
        ],
        notes: stranded.map((line) => `stock, ${line}`),
      }
      return [row]
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
      await anvil.stop()
    }
  },
}

function shareAnswered(windows: readonly Window[]): number {
  const answered = windows.reduce((sum, window) => sum + window.answered, 0)
  const others = windows.flatMap((window) => Object.values(window.others)).reduce((sum, one) => sum + one, 0)
  return answered / (answered + others)
}

const percentAnswered = (windows: readonly Window[]) => `${Math.round(100 * shareAnswered(windows))} %`
