import { globSync, readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Asset } from './assets.ts'

/** The reader of lists and what it imports, and the checks, which know a cell with several values. */
const SHARED = [
  'packages/checks/src/**/*.ts',
  'src/{lists/**/*,values/{csv-line,html,millionths,strict-json,utc-time}}.ts',
]
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const { resolve } = createRequire(import.meta.url)

/** The modules that pages share with the command line, as `lists/NAME` and `checks/NAME`, without their types. */
export function sharedModules(): readonly Asset[] {
  const { emitWarning } = process
  // Node warns that the function is experimental; a release that changes it fails the tests.
  process.emitWarning = () => {}
  try {
    return globSync(SHARED, { cwd: ROOT })
      .sort()
      .map((path) => {
        const name = nameOf(path)
        return { name, body: withAddresses(name, stripped(readFileSync(join(ROOT, path), 'utf8'))) }
      })
  } finally {
    process.emitWarning = emitWarning
  }
}

const nameOf = (path: string): string =>
  path.replaceAll('\\', '/').replace(/^(?:packages\/([^/]+\/))?src\//, '$1')

/** A browser knows no packages: the checks are imported from where their `exports` lead. */
const withAddresses = (name: string, body: string): string =>
  body.replace(/(?<=')format-checker-checks[\w/-]*(?=')/g, (specifier) =>
    posix.relative(posix.dirname(name), nameOf(relative(ROOT, resolve(specifier)))),
  )

/** Node puts spaces in place of types; they are removed. */
const stripped = (source: string): string =>
  stripTypeScriptTypes(source)
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n')
