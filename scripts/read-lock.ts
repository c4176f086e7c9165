import { readFileSync } from 'node:fs'

/** One package of the lock file. */
export interface LockedPackage {
  /** Where it is installed, e.g. "node_modules/pg". */
  readonly path: string
  readonly name: string
  readonly version: string
  /** SPDX, as its author says; null if the author says nothing. */
  readonly license: string | null
  /** Where it is fetched; empty for a registry, of which any that has the same bytes will do. */
  readonly resolved: string
  /** Digest of what is fetched, e.g. "sha512-...". */
  readonly integrity: string
  /** Needed for tests and tools alone. */
  readonly dev: boolean
  readonly optional: boolean
  readonly runsScript: boolean
}

interface Entry {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly hasInstallScript?: boolean
  readonly link?: boolean
}

/** Of the compiler, which is for development: npm's lock file calls them optional alone, and `npm ci --omit=dev` leaves them out. */
const COMPILER_PLATFORMS = 'node_modules/@typescript/'

/** Every package of a lock file (npm, lockfileVersion 3), the project itself and its own packages left out. */
export function readLock(path: string | URL): readonly LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, Entry> }
  return Object.entries(packages)
    .filter(([at, { link }]) => at.includes('node_modules/') && link !== true)
    .map(([at, entry]) => ({
      path: at,
      name: entry.name ?? at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: entry.version ?? '',
      license: entry.license ?? null,
      resolved: entry.resolved ?? '',
      integrity: entry.integrity ?? '',
      dev: entry.dev === true || entry.devOptional === true || at.startsWith(COMPILER_PLATFORMS),
      optional: entry.optional === true,
      runsScript: entry.hasInstallScript === true,
    }))
}
