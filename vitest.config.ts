import { defineConfig } from 'vitest/config'
import { reporters } from './vitest.reporters.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/browser/**',
      'test/faults/**',
      'test/fuzz/**',
      'test/soak/**',
      'test/postgres/**',
      'test/conformance/**',
    ],
    // Every file starts its own service, store and chain on free ports, so files run side by side.
    pool: 'forks',
    maxWorkers: 2,
    // Ends what hangs. No test may be decided by it, or by a poll: a loaded machine takes many times longer.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: reporters('unit'),
  },
})
