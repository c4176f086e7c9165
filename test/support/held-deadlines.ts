import { vi } from 'vitest'

/**
 * Takes the clock that deadlines are set by away from the machine: none is over before the test puts it forward,
 * however slow the machine is. Timers of Node itself, and those of `node:timers/promises`, go on; undone by
 * `vi.useRealTimers()`.
 */
export const holdDeadlines = () =>
  void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })

/** Lets so many milliseconds pass for the deadlines held. */
export const passTime = (ms: number) => void vi.advanceTimersByTime(ms)
