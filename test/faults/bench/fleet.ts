import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { type PostgresServer, run, startPostgres } from '../../support/postgres.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { type Environment, type LiveService, startLiveService } from './live-service.ts'
import type { NodeProxy } from './node-proxy.ts'
import { commonKeys, freshPayee, startWorld, type World } from './world.ts'

/** Three replicas on one PostgreSQL behind a round robin, with nothing else around. */
export interface Fleet {
  readonly world: World
  readonly url: string
  readonly payTo: Hex
  readonly node: NodeProxy
  readonly replicas: readonly LiveService[]
  /** Rows of the ledger's table, as a statement gives them. */
  ask(statement: string): Promise<Record<string, unknown>[]>
  /** Lets the chain pass the end of every authorization and every replica clear up what it finds. */
  recover(): Promise<void>
  stop(): Promise<void>
}

/** What was wrong with the store is over. */
const REPAIRED = { STORE_FAULTS: 'off' }
const REPLICAS = 3
const RECOVERY_MS = 300_000

/** Each replica first runs the code of `firstRoot`. */
export async function startFleet(settings: Environment = {}, firstRoot?: string): Promise<Fleet> {
  const world = await startWorld()
  const node = await world.nodeProxy()
  const server: PostgresServer = await startPostgres()
  const database = await server.freshDatabase()
  await world.takeDatabase(database)
  const balancer: Balancer = await startBalancer()
  const payTo = freshPayee()
  const environment = {
    ...world.settings(payTo, node.url),
    ...commonKeys(),
    ...settings,
    DATABASE_URL: database,
  }
  const replicas = await Promise.all(
    Array.from({ length: REPLICAS }, () =>
      startLiveService({
        environment,
        baseUrl: balancer.url,
        preload: ['store-faults', 'shifted-clock'],
        ...(firstRoot === undefined ? {} : { firstRoot }),
      }),
    ),
  )
  balancer.upstreams.push(...replicas.map(({ url }) => url))
  const ask = (statement: string) => run(database, statement)
  return {
    world,
    url: balancer.url,
    payTo,
    node,
    replicas,
    ask,
    recover: async () => {
      await world.passTime(600)
      for (const replica of replicas) await replica.stop()
      await Promise.all(replicas.map((replica) => replica.start(REPAIRED)))
      for (const deadline = Date.now() + RECOVERY_MS; Date.now() < deadline; await sleep(500)) {
        const [open] = await ask(
          `select count(*) as n from payments where state in ('settling', 'in_doubt', 'refused')`,
        )
        if (Number(open?.n) === 0) return
        // A lease of a process that died has to run out first; then the next start finds its row.
        await replicas[0]?.stop()
        await replicas[0]?.start(REPAIRED)
      }
    },
    stop: async () => {
      await Promise.all(replicas.map((replica) => replica.remove()))
      await balancer.stop()
      await server.remove()
      await world.stop()
    },
  }
}
