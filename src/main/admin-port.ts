import type { App } from '../app.ts'
import type { AdminConfig } from '../config/admin.ts'
import { ConfigError } from '../config.ts'
import { isLoopback } from '../values/loopback.ts'
import { closeServer, listen, portOf } from './listen.ts'

/** A page or a scrape takes less. */
const GRACE_MS = 1_000

export async function openAdminPort(app: App, config: AdminConfig | null, sharesPort = false) {
  if (config === null) return null
  const { host, port, token } = config
  const handler = app.admin({ token, loopback: isLoopback(host) })
  const server = await listen(handler, { host, port, sharesPort }).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError([`ADMIN_PORT: cannot listen there (${error.code ?? error.name})`])
  })
  return {
    url: `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${portOf(server)}/`,
    close: () => closeServer(server, GRACE_MS),
  }
}
