import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Asset } from './assets.ts'

/** The reader of lists and what it imports, and the checks, which know a cell with several values. */
const SHARED = ['{lists,checks}/**/*.ts', 'values/{csv-line,html,millionths,strict-json,utc-time}.ts']
const SOURCE = new URL('../../', import.meta.url)

/** The modules that pages share with the command line, by their names below `src`, without their types. */
export function sharedModules(): readonly Asset[] {
  const { emitWarning } = process
  // Node warns that the function is experimental; a release that changes it fails the tests.
  process.emitWarning = () => {}
  try {
    return globSync(SHARED, { cwd: fileURLToPath(SOURCE) })
      .map((path) => path.replaceAll('\\', '/'))
      .sort()
      .map((name) => ({ name, body: stripped(readFileSync(new URL(name, SOURCE), 'utf8')) }))
  } finally {
    process.emitWarning = emitWarning
  }
}

/** Node puts spaces in place of types; they are removed. */
const stripped = (source: string): string =>
  stripTypeScriptTypes(source)
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n')
