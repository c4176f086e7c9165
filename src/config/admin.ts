import { isLoopback, LOOPBACK } from '../values/loopback.ts'
import type { CleanSettings } from './settings.ts'

export interface AdminConfig {
  readonly host: string
  readonly port: number
  /** Null only on loopback. */
  readonly token: string | null
}

/**
 * The sandbox always has an admin port, live mode if ADMIN_PORT is set. Adds one line to `faults` for each
 * contradiction.
 */
export function readAdmin(
  settings: CleanSettings,
  mode: 'sandbox' | 'live',
  publicPort: number,
  faults: string[],
): AdminConfig | null {
  const { ADMIN_PORT, ADMIN_TOKEN: token = null } = settings
  const address = ADMIN_PORT ?? (mode === 'sandbox' ? { host: LOOPBACK, port: 0 } : undefined)
  if (address === undefined) {
    if (token !== null) faults.push('ADMIN_TOKEN: is set, and without ADMIN_PORT nothing listens')
    return null
  }
  const { host, port } = address
  if (!isLoopback(host)) {
    if (mode === 'sandbox') faults.push('ADMIN_PORT: the sandbox listens on loopback only')
    else if (token === null) faults.push('ADMIN_TOKEN: missing; ADMIN_PORT lets others than this machine in')
  }
  if (port !== 0 && port === publicPort) faults.push('ADMIN_PORT: is the same as PORT')
  return { host, port, token }
}
