import { inFlightMap } from '../../caches/in-flight-map.ts'
import type { DeliveryNotes, Run } from '../store/store.ts'

/** Notes are committed with the next sale, or once `hurry` is called. */
export function deliveryNotes(run: Run, hurry: () => void): DeliveryNotes {
  const open = inFlightMap<Promise<void>>()
  return {
    write(payer, work) {
      const note: Promise<void> = run(work).finally(() => {
        if (open.get(payer) === note) open.delete(payer)
      })
      open.set(payer, note)
      return note
    },
    async settle(payer) {
      const note = open.get(payer)
      if (note === undefined) return
      hurry()
      // Its failure is for the caller of `write`.
      await note.catch(() => {})
    },
  }
}
