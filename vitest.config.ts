import { defineConfig } from 'vitest/config'

/** Ends a test that hangs. No test is decided by it: a loaded machine takes many times longer than an idle one. */
const HANGING_MS = 600_000

const common = {
  pool: 'forks' as const,
  globalSetup: ['test/support/run-setup.ts'],
  testTimeout: HANGING_MS,
  hookTimeout: HANGING_MS,
  expect: { poll: { timeout: 240_000 } },
}

/**
 * Tests that start a process, such as the service, the command line, a node or a compiler, and those of one sale over
 * every surface, which start a service for each case.
 */
const SYSTEM = [
  'test/e2e/**/*.test.ts',
  'test/sandbox/**/*.test.ts',
  'test/main/**/*.test.ts',
  'test/channels/surfaces.test.ts',
  'test/cli/{doctor,operator}/*.test.ts',
  'test/command-line/*.test.ts',
  'packages/command/test/*.test.ts',
  'packages/command/test/{buy,verify}/*.test.ts',
  'packages/command/test/list/{buy-list,journal}.test.ts',
  'packages/command/test/mcp/spending.test.ts',
  'test/ledger/sqlite/sqlite-ledger.test.ts',
  'test/ledger/sqlite/write-faults.test.ts',
  'test/lists/lists.test.ts',
  'test/payments/chain/aggregator.test.ts',
  'test/payments/chain/rpc-chain-reader.test.ts',
  'test/payments/facilitators/self/authorization-end.test.ts',
  'test/payments/facilitators/self/kms.test.ts',
  'test/payments/facilitators/self/queue/batches.test.ts',
  'test/payments/facilitators/channel-facilitator.test.ts',
  'test/payments/facilitators/facilitator.test.ts',
  'test/payments/facilitators/self/transaction/persist-transaction-hash.test.ts',
  'test/payments/facilitators/self/self-facilitator.test.ts',
  'test/payments/facilitators/self/treasury/treasury.test.ts',
  'test/payments/facilitators/self/queue/used-nonce.test.ts',
  'test/payments/sale-on-a-node.test.ts',
  'test/surfaces/documents/catalogues.test.ts',
  'test/surfaces/documents/registries.test.ts',
  'test/surfaces/site/snippets.test.ts',
]

const OTHER_SUITES = [
  'browser',
  'faults',
  'fuzz',
  'soak',
  'postgres',
  'proxies',
  'monitoring',
  'conformance',
  'simulation',
  'image',
  'spreadsheets',
].map((suite) => `test/${suite}/**`)

/**
 * Programs of the documents in five languages, hosts of the local MCP server, what is installed, the benchmark, and a copy of
 * the project with three more checks; a machine with one address.
 */
const PROGRAMS = [
  'test/catalog/recipe.test.ts',
  'test/pack/**/*.test.ts',
  'test/e2e/going-live.test.ts',
  'test/e2e/launcher.test.ts',
  'test/e2e/snippets.test.ts',
  'test/e2e/mcp-stdio.test.ts',
  'test/e2e/one-address.test.ts',
  'test/bench/**/*.test.ts',
  'packages/command/test/list/{five-files,read-back}.test.ts',
  'packages/command/test/verify/second-verifier/*.test.ts',
]

/**
 * Minutes of schedules of the sale, of channels and of own settlements; every state of a channel's model, along its own edges;
 * histories of a store, and changes of a statement.
 */
const SCHEDULES = [
  'test/simulation/**/*.test.ts',
  'test/model/channel.test.ts',
  'test/model/channel-replay.test.ts',
  'test/model/settlement.test.ts',
  'test/payments/sale/verdicts-and-charges.test.ts',
  'test/ledger/sqlite/histories.test.ts',
  'packages/command/test/verify/statements/changes.test.ts',
]

/** Files that are judged by the memory that they take. */
const MEMORY = ['test/lists/hostile-files.test.ts']

/** The suites; `npm test` runs unit and system, `.ci/run` all but the image. Each has an npm script `test:<name>`. */
export default defineConfig({
  test: {
    // `npm test` has four: in many of its files a worker waits for a process or a deadline.
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          // Nothing in src keeps state in a module, so the files of a worker share the modules they load.
          isolate: false,
          include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: [...OTHER_SUITES, ...SYSTEM, ...PROGRAMS, ...SCHEDULES, ...MEMORY],
        },
      },
      { test: { ...common, name: 'system', isolate: false, include: SYSTEM, exclude: PROGRAMS } },
      { test: { ...common, name: 'programs', include: PROGRAMS } },
      { test: { ...common, name: 'schedules', include: SCHEDULES } },
      { test: { ...common, name: 'postgres', include: ['test/postgres/**/*.test.ts'] } },
      {
        // Most of a row is waiting: for a deadline, for a lease to end, for a block to become final.
        test: {
          ...common,
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          maxConcurrency: 16,
        },
      },
      { test: { ...common, name: 'proxies', include: ['test/proxies/**/*.test.ts'] } },
      { test: { ...common, name: 'monitoring', include: ['test/monitoring/**/*.test.ts'] } },
      { test: { ...common, name: 'image', include: ['test/image/**/*.test.ts'] } },
      { test: { ...common, name: 'spreadsheets', include: ['test/spreadsheets/**/*.test.ts'] } },
      { test: { ...common, name: 'browser', include: ['test/browser/**/*.test.ts'] } },
      {
        // Each looks at the memory of its own process.
        test: {
          ...common,
          name: 'fuzz',
          include: [...MEMORY, 'test/fuzz/**/*.test.ts', 'test/soak/**/*.test.ts'],
        },
      },
    ],
    // Under CI a countable report too; the npm script names its file.
    reporters: process.env.CI === undefined ? ['default'] : ['default', 'json'],
    outputFile: { json: `ci-output/${process.env.npm_lifecycle_event ?? 'test'}.tests.json` },
  },
})
