import { expect } from 'vitest'

/** An expectation that may take its time, also on a machine that has little of it. */
export const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 60_000, interval: 10 })
