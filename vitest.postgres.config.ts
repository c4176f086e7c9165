import { defineConfig } from 'vitest/config'
import { reporters } from './vitest.reporters.ts'

/** The tests that need a PostgreSQL server; they fail where there is none. */
export default defineConfig({
  test: {
    include: ['test/postgres/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: reporters('postgres'),
  },
})
