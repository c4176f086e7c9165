import { readFileSync } from 'node:fs'

export interface Source {
  readonly repository: string
  readonly homepage: string
  readonly bugs: string
  /** Where a vulnerability is reported in private; null where `package.json` names no such place. */
  readonly advisories: string | null
}

interface Manifest {
  readonly repository?: string | { readonly url: string }
  readonly homepage?: string
  readonly bugs?: string | { readonly url: string }
}

/** Null until `repository` is set: until then nothing may speak of a repository, an issue or an advisory. */
export function sourceOf({ repository: given, homepage, bugs }: Manifest): Source | null {
  const repository = urlOf(given)
    ?.replace(/^git\+/, '')
    .replace(/\.git$/, '')
  if (repository === undefined) return null
  const isGitHub = new URL(repository).hostname === 'github.com'
  return {
    repository,
    homepage: homepage ?? repository,
    bugs: urlOf(bugs) ?? `${repository}/issues`,
    advisories: isGitHub ? `${repository}/security/advisories/new` : null,
  }
}

const urlOf = (given: string | { readonly url: string } | undefined) =>
  typeof given === 'object' ? given.url : given

export const SOURCE = sourceOf(
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Manifest,
)
