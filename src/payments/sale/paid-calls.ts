import type { Declined } from '../ports/sale.ts'
import { declined } from './table/outcomes.ts'

/**
 * The calls of this process that may charge a buyer. They go on when their client leaves, so no connection shows
 * them.
 */
export interface PaidCalls {
  /** Counts the calls of `act`; after `finish` they are answered `shutting_down`. */
  count<Given extends readonly unknown[], Outcome>(
    act: (...given: Given) => Promise<Outcome>,
  ): (...given: Given) => Promise<Outcome | Declined>
  /** Resolves once no call runs, or after `graceMs`; no call begins after that. */
  finish(graceMs: number): Promise<void>
}

export function createPaidCalls(): PaidCalls {
  let running = 0
  let isOver = false
  let onNone: (() => void) | undefined
  return {
    count:
      (act) =>
      async (...given) => {
        if (isOver) return declined('shutting_down')
        running += 1
        try {
          return await act(...given)
        } finally {
          running -= 1
          if (running === 0) onNone?.()
        }
      },
    async finish(graceMs) {
      const none = Promise.withResolvers<void>()
      onNone = none.resolve
      if (running === 0) none.resolve()
      const force = setTimeout(none.resolve, graceMs)
      await none.promise
      clearTimeout(force)
      isOver = true
    },
  }
}
