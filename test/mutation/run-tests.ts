// Runs test files as often as its parent asks, in the folder it is started in, without starting Vitest each time.
import { join, relative } from 'node:path'
import { createVitest, type TestModule } from 'vitest/node'

export interface Asked {
  /** Files and folders, from the root of the project. */
  readonly tests: readonly string[]
  /** Files that are no longer what they were when they were last loaded. */
  readonly changed: readonly string[]
}

/** The first test file that failed, and what it said. */
export interface Failure {
  readonly test: string
  readonly found: string
}

const root = process.cwd()
/** A test that waits for what a mutant took away fails after this, and not after the minutes a loaded machine is given. */
const WAIT = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } }

/** Of the run under way: Vitest keeps what it said earlier of a file to which this run does not come. */
const failures: TestModule[] = []
const reporter = {
  onTestModuleEnd(module: TestModule) {
    if (!module.ok()) failures.push(module)
  },
}
const vitest = await createVitest('test', {
  root,
  watch: false,
  bail: 1,
  project: ['unit', 'system', 'postgres'],
  reporters: [reporter],
  maxWorkers: 1,
  ...WAIT,
})
const specifications = await vitest.globTestSpecifications()

async function run({ tests, changed }: Asked): Promise<Failure | null> {
  for (const path of changed) vitest.invalidateFile(join(root, path))
  failures.length = 0
  const { unhandledErrors } = await vitest.runTestSpecifications(
    specifications.filter(({ moduleId }) =>
      tests.some((test) => `${moduleId}/`.startsWith(`${join(root, test)}/`)),
    ),
  )
  const [failed] = failures
  const errors = [
    ...(failed?.errors() ?? []),
    ...[...(failed?.children.allTests('failed') ?? [])].flatMap((test) => test.result().errors ?? []),
    // From another process: no instances of Error.
    ...unhandledErrors.map((error) => ({ name: 'Unhandled', message: '', ...(error as object) })),
  ]
  if (failed === undefined && errors.length === 0) return null
  const found = errors[0] === undefined ? '' : `${errors[0].name}: ${errors[0].message}`
  return {
    test: failed === undefined ? (tests[0] ?? '') : relative(root, failed.moduleId),
    found: found.split('\n')[0]?.slice(0, 160) ?? '',
  }
}

process.on('message', (asked: Asked) => {
  run(asked).then(
    (failure) => process.send?.(failure),
    () => process.exit(1),
  )
})
