import { inFlightMap } from '../../caches/in-flight-map.ts'
import type { Sql } from '../store/sql.ts'
import type { GroupCommit } from './group-commit.ts'

/** Records which answers were delivered. No caller waits for that, so it is committed with the next sale. */
export interface DeliveryNotes {
  write(payer: string, run: (db: Sql) => Promise<void>): Promise<void>
  /** Waits until the payer's notes are committed; to be called before reading what the payer has not received. */
  settle(payer: string): Promise<void>
}

export function deliveryNotes(commits: GroupCommit): DeliveryNotes {
  /** Each payer's last note that is not committed yet. */
  const open = inFlightMap<Promise<void>>()
  return {
    write(payer, run) {
      const note: Promise<void> = commits.run(run, { durable: false, patient: true }).finally(() => {
        if (open.get(payer) === note) open.delete(payer)
      })
      open.set(payer, note)
      return note
    },
    async settle(payer) {
      const note = open.get(payer)
      if (note === undefined) return
      commits.hurry()
      // Its failure is for the caller of `write`.
      await note.catch(() => {})
    },
  }
}
