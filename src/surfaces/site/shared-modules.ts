import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The reader of lists, which the command line shares, and what it imports: served without their types. */
const SHARED = ['lists/**/*.ts', 'checks/hints.ts']
const SOURCE = new URL('../../', import.meta.url)

/** The modules that pages share with the command line, by their names below `src`. */
export function sharedModules(): readonly { readonly name: string; readonly body: string }[] {
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

/** Types become spaces, which are of no use to a browser. */
const stripped = (source: string): string =>
  stripTypeScriptTypes(source)
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n')
