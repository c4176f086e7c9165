import type { Log } from '../../log.ts'
import type { GasLevel } from '../../payments/facilitators/gas-level.ts'
import { repeat } from '../jobs/repeat.ts'

export interface GasMonitor {
  /** What was read last; `ok` before the first reading. */
  level(): GasLevel
  stop(): Promise<void>
}

const LOOK_MS = 60_000

const EVENTS = {
  ok: 'settlement_account_ok',
  low: 'settlement_account_low',
  empty: 'settlement_account_empty',
} as const satisfies Record<GasLevel, string>

/** Reads now and then how long the account that pays for settlements will do; a node that is silent changes nothing. */
export function monitorGas(read: () => Promise<GasLevel>, log: Log): GasMonitor {
  let level: GasLevel = 'ok'
  const look = async () => {
    const found = await read().catch(() => level)
    if (found !== level) log.warn({ event: EVENTS[found], setting: 'SETTLEMENT_KEY' }, 'settlement account')
    level = found
  }
  const loop = repeat(LOOK_MS, look, 0)
  return { level: () => level, stop: loop.stop }
}
