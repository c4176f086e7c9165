/**
 * Whether something happened less than `lifeMs` ago by a wall clock; both times are UTC milliseconds. `at` lies after `now` if
 * the clock was put back in between.
 */
export const isRecent = (at: number, now: number, lifeMs: number): boolean => Math.abs(now - at) < lifeMs
