import { expect } from 'vitest'

/** An expectation that may take its time, also on a machine that has little of it. */
export const eventually = <T>(look: () => T) => expect.poll(look, { interval: 10 })
