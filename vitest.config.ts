import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Those need a PostgreSQL server and run by `npm run test:postgres`.
    exclude: [...configDefaults.exclude, 'test/postgres/**'],
    // Every file starts its own service, store and chain on free ports, so files run side by side.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
