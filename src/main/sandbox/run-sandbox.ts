import http from 'node:http'
import type { SandboxConfig } from '../../config.ts'
import { VERSION } from '../../files/version.ts'
import type { Log } from '../../log.ts'
import { hostCommand } from '../../surfaces/documents/mcp-hosts.ts'
import { readPackages } from '../../surfaces/documents/packages.ts'
import type { Service } from '../service.ts'
import { firstSaleLine, sandboxBanner } from './banner.ts'
import { makeFirstSale } from './first-sale.ts'
import { startSandboxService } from './start-sandbox.ts'

export async function runSandbox(config: SandboxConfig, log: Log): Promise<Service> {
  bypassProxies()
  const service = await startSandboxService(config, log)
  console.log(sandboxBanner({ ...service, mcpCommand: mcpCommandOf(service.url, config) }))
  const sale = await makeFirstSale(service)
  console.log(firstSaleLine(sale))
  if (sale !== null) return service
  await service.stop()
  throw new Error('the first paid check failed')
}

const mcpCommandOf = (baseUrl: string, { app: { operator } }: SandboxConfig) =>
  hostCommand({ baseUrl, packages: readPackages({ baseUrl, version: VERSION, sandbox: true, ...operator }) })

/**
 * Keeps the sandbox's requests on this machine. With NODE_USE_ENV_PROXY Node's `fetch` and its global agent send them to
 * HTTP_PROXY; the usual NO_PROXY names 127.0.0.1, and the chain listens on another loopback address at each start.
 */
function bypassProxies(): void {
  // The agent read its environment when the process started.
  http.globalAgent = new http.Agent({ keepAlive: true, timeout: 5_000 })
  process.env.NO_PROXY = '*'
  // This one counts if both are set.
  process.env.no_proxy = '*'
}
