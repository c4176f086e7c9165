import { isLoopback, LOOPBACK } from '../values/loopback.ts'
import type { CleanSettings } from './settings.ts'

/** Where the operator's view and the metrics are served. */
export interface AdminConfig {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** Bearer token; null only on loopback. */
  readonly token: string | null
}

/**
 * The sandbox always has an admin port, on a free port of loopback by default; live mode has one if ADMIN_PORT is set. Adds
 * one line to `faults` for each contradiction.
 */
export function readAdmin(
  settings: CleanSettings,
  mode: 'sandbox' | 'live',
  publicPort: number,
  faults: string[],
): AdminConfig | null {
  const { ADMIN_PORT, ADMIN_HOST: host = LOOPBACK, ADMIN_TOKEN: token = null } = settings
  const port = ADMIN_PORT ?? (mode === 'sandbox' ? 0 : undefined)
  if (mode === 'sandbox' && !isLoopback(host)) {
    faults.push('ADMIN_HOST: the sandbox listens on loopback only')
  }
  if (port === undefined) {
    for (const name of ['ADMIN_HOST', 'ADMIN_TOKEN'] as const)
      if (settings[name] !== undefined) faults.push(`${name}: is set, and without ADMIN_PORT nothing listens`)
    return null
  }
  if (mode === 'live' && !isLoopback(host) && token === null) {
    faults.push('ADMIN_TOKEN: missing; ADMIN_HOST lets others than this machine in')
  }
  if (port !== 0 && port === publicPort) faults.push('ADMIN_PORT: is the same as PORT')
  return { host, port, token }
}
