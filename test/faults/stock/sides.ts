import { join } from 'node:path'
import type { Hex } from 'viem'
import { ROOT, type Running, run } from '../../support/command.ts'
import { freePort } from '../../support/ports.ts'
import { type Environment, startLiveService } from '../bench/live-service.ts'
import { freshPayee, type World } from '../bench/world.ts'

/** One of the two services that are compared. */
export interface Side {
  readonly name: 'stock' | 'ours'
  readonly world: World
  readonly url: string
  payTo: Hex
  /** Ends the process where it stands, and starts it again on what it has kept, with these settings changed. */
  restart(environment?: Environment): Promise<void>
  kill(): Promise<void>
}

/** Starts a service of its own for a case; settings by their names in ours. */
export type OpenSide = (environment?: Environment) => Promise<Side>

/** How long the stock client waits for a facilitator by default. */
const STOCK_TIMEOUT_MS = 90_000

/** Both services in one world; `stops` ends what they started. */
export function sidesIn(
  world: World,
  stops: (() => Promise<unknown>)[],
): Readonly<Record<Side['name'], OpenSide>> {
  return { stock: (environment) => openStock(world, stops, environment), ours: openOurs(world, stops) }
}

async function openStock(
  world: World,
  stops: (() => Promise<unknown>)[],
  environment: Environment = {},
): Promise<Side> {
  const port = await freePort()
  const payTo = freshPayee()
  let current: Running | undefined
  const start = async (changed: Environment) => {
    const env = {
      ...world.settings(payTo),
      PORT: String(port),
      FACILITATOR_TIMEOUT_MS: String(STOCK_TIMEOUT_MS),
      ...changed,
    }
    current = run([join(ROOT, 'test/faults/stock/stock-server.ts')], { env })
    await current.line(/listening/)
  }
  const kill = async () => {
    current?.child.kill('SIGKILL')
    await current?.ended
  }
  stops.push(kill)
  await start(environment)
  return {
    name: 'stock',
    world,
    url: `http://127.0.0.1:${port}`,
    payTo,
    kill,
    async restart(changed = {}) {
      await kill()
      await start({ ...environment, ...changed })
    },
  }
}

const openOurs =
  (world: World, stops: (() => Promise<unknown>)[]): OpenSide =>
  async (environment = {}) => {
    const payTo = freshPayee()
    const service = await startLiveService({
      environment: { ...world.settings(payTo), ...environment },
      preload: ['store-faults'],
    })
    stops.push(service.remove)
    return {
      name: 'ours',
      world,
      url: service.url,
      payTo,
      kill: service.kill,
      async restart(changed = {}) {
        await service.kill()
        await service.start(changed)
      },
    }
  }
