import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { HINTS, WARNINGS } from '../../checks/advice/hints.ts'
import type { Asset } from './assets.ts'

/** The reader of lists, and what it imports of the checks. */
const SHARED = [
  'lists/**/*.ts',
  'checks/text/{may-be-value,scientific-notation,cleaned,normalize,char-kind}.ts',
]
const SOURCE = new URL('../../', import.meta.url)

/** The modules that pages share with the command line, by their names below `src`, without their types. */
export function sharedModules(): readonly Asset[] {
  const { emitWarning } = process
  // Node warns that the function is experimental; a release that changes it fails the tests.
  process.emitWarning = () => {}
  try {
    const readers = globSync(SHARED, { cwd: fileURLToPath(SOURCE) })
      .map((path) => path.replaceAll('\\', '/'))
      .sort()
      .map((name) => ({ name, body: stripped(readFileSync(new URL(name, SOURCE), 'utf8')) }))
    return [{ name: 'checks/advice/hints.ts', body: hints() }, ...readers]
  } finally {
    process.emitWarning = emitWarning
  }
}

/** The one module that the reader imports: its tables alone, without the checks that they are collected from. */
const hints = (): string =>
  `export const HINTS=${JSON.stringify(HINTS)};export const WARNINGS=${JSON.stringify(WARNINGS)}`

/** Node puts spaces in place of types; they are removed. */
const stripped = (source: string): string =>
  stripTypeScriptTypes(source)
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n')
