/** A readable report always; under CI also a countable one, in `ci-output/<suite>.tests.json`. */
export const reporters = (suite: string): (string | [string, object])[] =>
  process.env['CI'] === undefined
    ? ['default']
    : ['default', ['json', { outputFile: `ci-output/${suite}.tests.json` }]]
