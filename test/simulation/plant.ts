import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Mutant } from './mutants.ts'

/** The source of a file with a seeded bug in it; throws unless the text it replaces is there once. */
export function withBug(source: string, { file, from, to }: Mutant): string {
  if (source.split(from).length !== 2) throw new Error(`${JSON.stringify(from)} is not in ${file} once`)
  return source.replace(from, () => to)
}

/** From here on, this process loads the mutant's file with the bug; call it before anything imports that file. */
export function plant(mutant: Mutant): void {
  const planted = pathToFileURL(join(import.meta.dirname, '../../src', mutant.file)).href
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      return url === planted ? { ...loaded, source: withBug(String(loaded.source), mutant) } : loaded
    },
  })
}
