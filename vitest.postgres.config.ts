import { defineConfig } from 'vitest/config'
import { reporters } from './vitest.reporters.ts'

/** The tests that need a PostgreSQL server; they fail where there is none. */
export default defineConfig({
  test: {
    include: ['test/postgres/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Ends what hangs; no test may be decided by it.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: reporters('postgres'),
  },
})
