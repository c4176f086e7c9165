import { defineConfig } from 'vitest/config'
import { reporters } from './vitest.reporters.ts'

/** A minute of bad inputs, and of sales and floods together, against the whole service; longer runs are by hand. */
export default defineConfig({
  test: {
    include: ['test/fuzz/**/*.test.ts', 'test/soak/**/*.test.ts'],
    pool: 'forks',
    // Each looks at the memory of its own process.
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 60_000,
    reporters: reporters('fuzz'),
  },
})
