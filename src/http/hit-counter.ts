/** Hits per key, in windows of time that begin with the first hit of each key. */
export interface HitCounter {
  hit(key: string): void
  /** Takes one hit back; there are never less than none. */
  takeBack(key: string): void
  /** Whole seconds until the key's window is over, where it is at its limit. */
  secondsLeft(key: string): number | undefined
  /** Stops the timer that forgets keys. */
  close(): void
}

interface Window {
  hits: number
  /** UTC milliseconds. */
  readonly until: number
}

/** Counts in memory; a key whose window is over is forgotten within another one. */
export function hitCounter(limit: number, windowMs: number): HitCounter {
  const windows = new Map<string, Window>()
  const current = (key: string, now: number): Window | undefined => {
    const window = windows.get(key)
    return window === undefined || window.until <= now ? undefined : window
  }
  const timer = setInterval(() => {
    const now = Date.now()
    for (const [key, { until }] of windows) if (until <= now) windows.delete(key)
  }, windowMs).unref()

  return {
    hit(key) {
      const now = Date.now()
      const window = current(key, now)
      if (window === undefined) windows.set(key, { hits: 1, until: now + windowMs })
      else window.hits++
    },
    takeBack(key) {
      const window = current(key, Date.now())
      if (window !== undefined && window.hits > 0) window.hits--
    },
    secondsLeft(key) {
      const now = Date.now()
      const window = current(key, now)
      if (window === undefined || window.hits < limit) return undefined
      return Math.max(1, Math.ceil((window.until - now) / 1000))
    },
    close: () => clearInterval(timer),
  }
}
