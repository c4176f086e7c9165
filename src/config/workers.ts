import { availableParallelism } from 'node:os'
import type { AdminConfig } from './admin.ts'
import type { CleanSettings } from './settings.ts'

const LAST_PORT = 65_535

/** Returns how many processes serve in live mode. Adds one line to `faults` for each contradiction. */
export function readWorkers(
  { WORKERS, DATABASE_URL }: CleanSettings,
  admin: AdminConfig | null,
  publicPort: number,
  faults: string[],
): number {
  if (WORKERS === 1) return 1
  if (DATABASE_URL === undefined) {
    faults.push('WORKERS: several processes need DATABASE_URL; the SQLite store of DATA_DIR serves one')
    return 1
  }
  const workers = WORKERS === 'auto' ? availableParallelism() : WORKERS
  const { port: first } = admin ?? { port: 0 }
  const last = first + workers - 1
  if (first > 0 && last > LAST_PORT)
    faults.push(`ADMIN_PORT: each of ${workers} workers needs a port, from this one on`)
  if (first > 0 && first < publicPort && publicPort <= last)
    faults.push(`ADMIN_PORT: PORT is among the ports of ${workers} workers, from this one on`)
  return workers
}
