import { defineConfig } from 'vitest/config'
import { reporters } from './vitest.reporters.ts'

/** The tests that need a Chromium at /usr/bin/chromium; they fail where there is none. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    pool: 'forks',
    // A browser and a chain each: more at once only wait for one another.
    maxWorkers: 1,
    testTimeout: 90_000,
    hookTimeout: 90_000,
    reporters: reporters('browser'),
  },
})
