import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { MUTANTS, type Mutant } from './mutants.ts'
import { withBug } from './plant.ts'

const ROOT = join(import.meta.dirname, '../..')
const mutant = MUTANTS[Number(process.env.MUTANT) - 1] as Mutant

/** The test that a seeded bug names, with the bug in the code: `npm run mutate:sale` runs it. */
export default defineConfig({
  root: ROOT,
  plugins: [
    {
      name: 'seeded-bug',
      enforce: 'pre',
      transform: (code, id) => (id === join(ROOT, 'src', mutant.file) ? withBug(code, mutant) : null),
    },
  ],
  test: {
    include: [mutant.test ?? ''],
    // The kept modules do not say which bug they were made with.
    fsModuleCache: false,
    globalSetup: [join(ROOT, 'test/support/run-setup.ts')],
    testTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
