import { inFlightMap } from '../../caches/in-flight-map.ts'
import type { DeliveryNotes } from '../store/store.ts'
import type { GroupCommit } from './group-commit.ts'

/** Notes are committed with the next sale. */
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
