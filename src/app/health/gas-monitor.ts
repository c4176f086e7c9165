import type { Log } from '../../log.ts'
import { type GasLevel, type GasStatus, gasStatusOf } from '../../payments/ports/own-settlement.ts'
import { repeat } from '../jobs/repeat.ts'

const POLL_MS = 60_000

const EVENTS = {
  ok: 'settlement_account_ok',
  low: 'settlement_account_low',
  empty: 'settlement_account_empty',
} as const satisfies Record<GasStatus, string>

export function monitorGas(read: () => Promise<GasLevel>, log: Log) {
  let level: GasLevel | null = null
  let status: GasStatus = 'ok'
  const poll = async () => {
    level = await read().catch(() => level)
    const found = level === null ? status : gasStatusOf(level)
    if (found !== status) log.warn({ event: EVENTS[found], setting: 'SETTLEMENT_KEY' }, 'settlement account')
    status = found
  }
  const loop = repeat(POLL_MS, poll, 0)
  return {
    /** As last read; `ok` before the first reading. */
    status: () => status,
    /** As last read; null before the first reading. */
    settlementsLeft: () => level?.settlementsLeft ?? null,
    stop: loop.stop,
  }
}
