import type { AccessEntry } from '../../../http/access-log.ts'
import type { ConnectionObserver, RefusedConnection } from '../../../http/limits/connection-limits.ts'
import { SURFACE_NAMES } from '../../../payments/ports/sale.ts'
import type { MetricMakers } from './metric-makers.ts'

export type HttpMetrics = ReturnType<typeof createHttpMetrics>

/** Those of the objective of server errors; probes are not in it. */
const SERVED_SURFACES = [...SURFACE_NAMES, 'documents', 'site'] as const
const SURFACES: ReadonlySet<string> = new Set([...SERVED_SURFACES, 'ops'])
const REFUSED = ['all', 'address'] as const satisfies readonly RefusedConnection[]

const HTTP_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30]
const TOO_MANY_REQUESTS = 429

export function createHttpMetrics({ counter, histogram, gauge }: MetricMakers) {
  const answers = histogram(
    'http_request_duration_seconds',
    HTTP_SECONDS,
    'HTTP requests by surface and status class.',
    'surface',
    'status',
  )
  const limited = counter(
    'limited_requests_total',
    'Requests answered 429 because of a limit, by surface.',
    'surface',
  )
  const openConnections = gauge('connections', 'Open connections of the public port.')
  const refusedConnections = counter(
    'refused_connections_total',
    'Connections refused or closed because of a limit: of all, of one address, or of requests on one connection.',
    'limit',
  )
  const adminRefusals = counter(
    'admin_refusals_total',
    'Requests to the admin port without the token, or with another one.',
  )
  for (const surface of SERVED_SURFACES) answers.zero({ surface, status: '5xx' })
  for (const surface of SURFACE_NAMES) limited.inc({ surface }, 0)
  for (const limit of REFUSED) refusedConnections.inc({ limit }, 0)
  return {
    answered: ({ surface: named, status, ms }: Pick<AccessEntry, 'surface' | 'status' | 'ms'>) => {
      const surface = named !== undefined && SURFACES.has(named) ? named : 'other'
      answers.observe({ surface, status: `${Math.floor(status / 100)}xx` }, ms / 1000)
      if (status === TOO_MANY_REQUESTS) limited.inc({ surface })
    },
    connections: {
      opened: () => {
        openConnections.inc()
        return () => openConnections.dec()
      },
      refused: (limit) => refusedConnections.inc({ limit }),
    } satisfies ConnectionObserver,
    adminRefused: () => adminRefusals.inc(),
  }
}
