import type { Kysely } from 'kysely'
import { inFlightMap } from '../../in-flight-map.ts'
import type { Schema } from '../schema.ts'
import type { GroupCommit } from './group-commit.ts'

/** Notes of what payers have received. Nothing waits for one, so it goes with the next write of another sale. */
export interface DeliveryNotes {
  write(payer: string, run: (db: Kysely<Schema>) => Promise<void>): Promise<void>
  /** Waits for the notes of a payer: what they have not received yet is about to be read. */
  settle(payer: string): Promise<void>
}

export function deliveryNotes(commits: GroupCommit): DeliveryNotes {
  /** The last note of each payer that is not committed yet. */
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
      // The caller that wrote the note gets its failure.
      await note.catch(() => {})
    },
  }
}
