import { CHECK_TYPES } from 'format-checker-checks/verdict'
import manifest from '../packages/checks/package.json' with { type: 'json' }

/** What this project imports, too, and `npm run pack` leaves out. */
const INTERNAL = './internal/'

/** The `exports` of the checks' package: the module below its `src` of each subpath, with a subpath for each type. */
const ENTRIES: ReadonlyMap<string, string> = new Map(
  Object.entries(manifest.exports).flatMap(([subpath, module]) =>
    (subpath.includes('*') ? CHECK_TYPES : ['']).map((type) => [
      subpath.replaceAll('*', type),
      module.replace('./src/', '').replaceAll('*', type),
    ]),
  ),
)

/** Those of the package as it is installed. */
export const PUBLISHED: readonly (readonly [subpath: string, module: string])[] = [...ENTRIES].filter(
  ([subpath]) => !subpath.startsWith(INTERNAL),
)

/** All that is exported, and the same as it is written, where `*` stands for a type. */
export const DOORS: readonly string[] = [...ENTRIES.values()]
export const DOORS_AS_WRITTEN: readonly string[] = Object.values(manifest.exports).map((module) =>
  module.replace('./src/', ''),
)

/** The module that an import by the package's name leads to, below its `src`; undefined for any other import. */
export const moduleOf = (specifier: string): string | undefined =>
  /^format-checker-checks(?:\/|$)/.test(specifier)
    ? ENTRIES.get(specifier.replace(manifest.name, '.'))
    : undefined
