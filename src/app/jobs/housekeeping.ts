import type { Ledger } from '../../ledger/ledger.ts'
import type { Log } from '../../log.ts'
import { type Clocks, REPLAY_WINDOWS, windowTime } from '../../payments/sale/replay-window.ts'

/** Deletes expired rows. If the store is down, the next run retries. */
export async function runHousekeeping(ledger: Ledger, clocks: Clocks, log: Log): Promise<void> {
  try {
    await ledger.purge(windowTime(clocks), REPLAY_WINDOWS)
  } catch {
    log.warn({ event: 'housekeeping_failed' }, 'store')
  }
}
