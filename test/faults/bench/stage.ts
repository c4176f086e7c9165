import type { Hex } from 'viem'
import { type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { type Environment, type LiveService, startLiveService } from './live-service.ts'
import type { NodeProxy } from './node-proxy.ts'
import { commonKeys, freshPayee, startWorld, type World } from './world.ts'

/** Where orders go: an address, and whom it pays. */
export interface Target {
  readonly url: string
  readonly payTo: Hex
  /** The processes behind it; any of them can clear up what is in doubt. */
  readonly services: readonly LiveService[]
}

/** A process on a file of its own. */
export interface SoleService extends Target {
  readonly service: LiveService
}

export interface FileOptions {
  readonly environment?: Environment
  readonly preload?: readonly string[]
  readonly node?: NodeProxy
}

/** The services the rows of the table are played on; each is started when it is first asked for. */
export interface Stage {
  readonly world: World
  /** One process with a file, shared by rows that do not kill it. */
  file(): Promise<SoleService>
  /**
   * The same, shared by the rows of one name. Rows whose settlements get no answer must not share a process with many
   * others: five such settlements in a row open its circuit breaker.
   */
  fileFor(name: string): Promise<SoleService>
  /** The same, which lets no verdict go before the transfer is seen on the chain. */
  careful(): Promise<SoleService>
  /** The same, with a node of its own that can be made to fail. */
  withNode(): Promise<SoleService & { readonly node: NodeProxy }>
  /** A process of one row alone that lets no verdict go before it has seen the transfer on a node of its own. */
  carefulWithNode(): Promise<SoleService & { readonly node: NodeProxy }>
  /** A process of one row alone that settles itself, over a node of its own that can be made to fail. */
  ownSettler(
    environment?: Environment,
  ): Promise<SoleService & { readonly node: NodeProxy; readonly key: Hex }>
  /** The same, with a clock that is off. */
  withClock(shiftMs: number): Promise<SoleService>
  /** A process of one row alone. */
  ownFile(options?: FileOptions): Promise<SoleService>
  /** Three replicas on one PostgreSQL behind a round robin. */
  replicas(): Promise<Target>
  /** A further replica on the same database, of one row alone; the round robin does not know it. */
  ownReplica(environment?: Environment): Promise<SoleService>
  /** The same, shared by the rows of one name. */
  replicaFor(name: string): Promise<SoleService>
  postgres(): Promise<PostgresServer>
  /** Everything that was started for orders. */
  targets(): readonly Target[]
  stop(): Promise<void>
}

const FAULTY = ['store-faults', 'shifted-clock']

/** Starts a chain for services that all have these settings. */
export async function startStage(common: Environment = {}): Promise<Stage> {
  const world = await startWorld()
  const targets: Target[] = []
  const services: LiveService[] = []
  const stops: (() => Promise<void>)[] = []

  const launch = async (options: Parameters<typeof startLiveService>[0]) => {
    const service = await startLiveService(options)
    services.push(service)
    return service
  }
  const ownFile = async ({ environment = {}, preload = FAULTY, node }: FileOptions = {}) => {
    const payTo = freshPayee()
    const service = await launch({
      environment: { ...world.settings(payTo, node?.url), ...common, ...environment },
      preload,
    })
    const target = { url: service.url, payTo, services: [service], service }
    targets.push(target)
    return target
  }
  const withNode = async (environment: Environment = {}) => {
    const node = await world.nodeProxy()
    return { ...(await ownFile({ node, environment })), node }
  }
  const postgres = once(async () => {
    // Every replica of every row has its own pool.
    const server = await startPostgres({ settings: { max_connections: '300' } })
    stops.push(server.remove)
    return server
  })
  const shared = once(async () => {
    const payTo = freshPayee()
    const database = await (await postgres()).freshDatabase()
    await world.takeDatabase(database)
    const balancer = await startBalancer()
    stops.push(balancer.stop)
    const environment = {
      ...world.settings(payTo),
      ...common,
      ...commonKeys(),
      // For the rows in which many clients come through the balancer.
      TRUST_PROXY: '1',
      DATABASE_URL: database,
    }
    return { payTo, balancer, environment }
  })
  const replica = (
    { balancer, environment }: { readonly balancer: Balancer; readonly environment: Environment },
    more: Environment = {},
  ) => launch({ environment: { ...environment, ...more }, baseUrl: balancer.url, preload: FAULTY })

  const ownReplica = async (environment: Environment = {}) => {
    const group = await shared()
    const service = await replica(group, { MAY_DIE: 'yes', ...environment })
    return { url: service.url, payTo: group.payTo, services: [service], service }
  }

  return {
    world,
    file: once(() => ownFile()),
    fileFor: onceFor(() => ownFile()),
    careful: once(() => ownFile({ environment: { SETTLEMENT_PROOF: 'chain' } })),
    withNode: once(() => withNode()),
    carefulWithNode: () => withNode({ SETTLEMENT_PROOF: 'chain' }),
    ownSettler: async (environment = {}) => {
      const key = await world.gasKey()
      // Gas on the local chain costs many times what it does on Base: an ether of a dollar makes up for it.
      const self = {
        FACILITATOR_URL: 'self',
        SETTLEMENT_KEY: key,
        SETTLEMENT_ETH_USD: '1',
        // A refund reserves it in proportion to its gas, and a few calls pay for that.
        SETTLEMENT_MAX_COST_USD: '0.0005',
        SETTLEMENT_DAILY_LOSS_USD: '100000',
      }
      return { ...(await withNode({ ...self, ...environment })), key }
    },
    withClock: onceFor((shiftMs: number) =>
      ownFile({ preload: ['shifted-clock'], environment: { CLOCK_SHIFT_MS: String(shiftMs) } }),
    ),
    ownFile,
    replicas: once(async () => {
      const group = await shared()
      const started = await Promise.all([replica(group), replica(group), replica(group)])
      group.balancer.upstreams.push(...started.map(({ url }) => url))
      const target = { url: group.balancer.url, payTo: group.payTo, services: started }
      targets.push(target)
      return target
    }),
    ownReplica,
    replicaFor: onceFor(() => ownReplica()),
    postgres,
    targets: () => targets,
    stop: async () => {
      await Promise.all(services.map((service) => service.remove()))
      for (const stop of stops.reverse()) await stop()
      await world.stop()
    },
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

function onceFor<K, T>(make: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const made = new Map<K, Promise<T>>()
  return (key) => {
    const known = made.get(key) ?? make(key)
    made.set(key, known)
    return known
  }
}
