import type { Log } from '../log.ts'

/** Ends the service without draining and without closing the store, which would move its log into the database. */
export const endOnFailedFlush = (log: Log) => (): never => {
  log.error({ event: 'store_flush_failed' }, 'defect')
  process.exit(1)
}

/** The same for a command. */
export const endCommand = (): never => {
  console.error(
    'The disk of DATA_DIR failed to flush ledger.sqlite. Run this again; if it happens twice in a day, move the store to another disk.',
  )
  process.exit(1)
}
