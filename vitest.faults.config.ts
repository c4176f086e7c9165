import { defineConfig } from 'vitest/config'
import { reporters } from './vitest.reporters.ts'

/** The tests that kill, cut off and mislead running services; they need anvil and a PostgreSQL server. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Most of a row is waiting: for a deadline, for a lease to run out, for a block to become final.
    maxConcurrency: 16,
    testTimeout: 240_000,
    hookTimeout: 180_000,
    reporters: reporters('faults'),
  },
})
