import type { ViteUserConfig } from 'vitest/config'

type Reporters = NonNullable<NonNullable<ViteUserConfig['test']>['reporters']>

/** A readable report always; under CI also a countable one, in `ci-output/<suite>.tests.json`. */
export const reporters = (suite: string): Reporters =>
  process.env.CI === undefined
    ? ['default']
    : ['default', ['json', { outputFile: `ci-output/${suite}.tests.json` }]]
