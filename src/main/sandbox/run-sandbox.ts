import type { SandboxConfig } from '../../config.ts'
import type { Log } from '../../log.ts'
import type { Service } from '../service.ts'
import { firstSaleLine, sandboxBanner } from './banner.ts'
import { bypassProxies } from './bypass-proxies.ts'
import { makeFirstSale } from './first-sale.ts'
import { startSandboxService } from './start-sandbox.ts'

/** Starts the sandbox and buys a first check from it; throws if it does not sell. */
export async function runSandbox(config: SandboxConfig, log: Log): Promise<Service> {
  bypassProxies()
  const service = await startSandboxService(config, log)
  console.log(sandboxBanner(service))
  const outcome = await makeFirstSale(service)
  console.log(firstSaleLine(outcome))
  if (outcome.kind === 'bought') return service
  await service.stop()
  throw new Error('the first paid check failed')
}
