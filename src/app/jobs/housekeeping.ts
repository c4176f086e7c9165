import type { Ledger } from '../../ledger/ledger.ts'
import type { Log } from '../../log.ts'
import { REPLAY_WINDOWS } from '../../payments/sale/replay-window.ts'

/** Deletes expired rows. If the store is down, the next run retries. */
export async function runHousekeeping(ledger: Ledger, now: () => number, log: Log): Promise<void> {
  try {
    await ledger.purge(now(), REPLAY_WINDOWS)
  } catch {
    log.warn({ event: 'housekeeping_failed' }, 'store')
  }
}
