/** Paid calls over payment channels, beside our own single payments and the stock server of the same scheme. */
import { generatePrivateKey } from 'viem/accounts'
import type { Bench, RowPlan } from '../bench.ts'
import { type Contender, compare, middle, type Series } from '../compare.ts'
import type { Source } from '../load/loader.ts'
import { termsOf } from '../load/recorded-answer.ts'
import { costClaim, figuresOf, rateClaim } from '../report/figures.ts'
import type { Claim, Row } from '../report/row.ts'
import { PAY_TO, type Server, startOurs, startServer } from '../servers/our-service.ts'
import { LIMIT } from './paid.ts'

const EXACT = 'ours, single payments'
const STOCK = 'stock channels in files'
/** Nothing of it outlives the process. */
const STOCK_IN_MEMORY = 'stock channels in memory'
/** The calls of one channel are ordered, so every connection has its own. */
const CHANNELS = 32
const LONGEST_MS = 120_000
const MOST_P50 = 1

export const channels: RowPlan = {
  id: 'channels',
  run: sideBySide,
}

async function sideBySide({ load, world, effort }: Bench): Promise<readonly Row[]> {
  const ours = await startOurs(world, {
    env: { CHANNELS: 'on', RECEIVER_AUTHORIZER_KEY: generatePrivateKey() },
  })
  const env = { FACILITATOR_URL: `http://127.0.0.1:${world.port}/fast`, PAY_TO }
  const stock = await startServer('stock-batch.ts', { ...env, CHANNEL_FILES: 'on' })
  const inMemory = await startServer('stock-batch.ts', env)
  const limit = await startServer('limit.ts', env)
  const terms = new Map<Server, Awaited<ReturnType<typeof termsOf>>>()
  terms.set(ours, await termsOf(ours.port, '/api/channel/validate/iban'))
  for (const server of [stock, inMemory]) terms.set(server, await termsOf(server.port))
  const single = await termsOf(ours.port)
  const race = (connections: number, count: number): Promise<Series> => {
    const contender = (name: string, server: Server, kind: 'paid' | 'vouchers'): Contender => {
      const source: Source =
        kind === 'paid'
          ? { count, required: single, kind, surface: 'rest', payers: 64 }
          : { count, required: terms.get(server)!, kind, channels: CHANNELS }
      const job = { port: server.port, connections, milliseconds: LONGEST_MS, expected: 200, source }
      return { name, pid: server.pid, job }
    }
    const contenders = [
      contender('ours', ours, 'vouchers'),
      contender(EXACT, ours, 'paid'),
      contender(STOCK, stock, 'vouchers'),
      contender(STOCK_IN_MEMORY, inMemory, 'vouchers'),
      contender(LIMIT, limit, 'paid'),
    ]
    return compare(load, contenders, effort.rounds)
  }
  try {
    // Half as many as single payments: all of a run stay below what may be charged and not be claimed.
    const count = Math.ceil(effort.payments / 2)
    return [
      busyRow(await race(CHANNELS, count)),
      aloneRow(await race(1, Math.max(CHANNELS, Math.ceil(count / 4)))),
    ]
  } finally {
    await Promise.all([ours, stock, inMemory, limit].map((server) => server.stop()))
  }
}

const busyRow = (series: Series): Row => ({
  id: 'channels-busy',
  work: `paid call over a channel, ${CHANNELS} channels at a time`,
  figures: figuresOf(series),
  claims: [
    costClaim(series, LIMIT, 1.5),
    ...rateClaim(series, EXACT),
    ...rateClaim(series, STOCK, 10),
    ...rateClaim(series, STOCK_IN_MEMORY),
  ],
})

const aloneRow = (series: Series): Row => ({
  id: 'channels-alone',
  work: 'paid call over a channel, concurrency 1',
  figures: figuresOf(series),
  claims: [
    ceiling('p50 in milliseconds', middle(series.ours ?? [], 'p50'), MOST_P50),
    ...rateClaim(series, EXACT),
    ...rateClaim(series, STOCK),
    ...rateClaim(series, STOCK_IN_MEMORY),
  ],
})

const ceiling = (what: string, value: number, target: number): Claim => ({
  what,
  value,
  target,
  side: 'at most',
})
