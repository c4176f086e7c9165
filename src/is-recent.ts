/**
 * Whether something happened less than `lifeMs` ago by a wall clock; both times are UTC milliseconds. A time after `now` is
 * from before the clock was put back, and is recent only while the two are closer than that.
 */
export const isRecent = (at: number, now: number, lifeMs: number): boolean => Math.abs(now - at) < lifeMs
