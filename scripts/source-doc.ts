/** What the documents say of where the source is, with and without a `repository` in `package.json`. */
import type { Source } from '../src/files/source.ts'

/** README: where the source is, and what does not exist. */
export const whatExists = (source: Source | null): string =>
  source === null
    ? 'This folder is the whole source; it is published nowhere. There is no hosted instance, no package on npm and no outside audit.'
    : `The source is at <${source.repository}> (\`git clone ${source.repository}\`); [report a bug](${source.bugs}). There is no hosted instance, no package on npm and no outside audit.`

/** SECURITY.md: the private way to report a vulnerability. */
export const whereToReport = (source: Source | null): string =>
  source?.advisories == null
    ? 'Report a vulnerability to the operator of the service, at the contact in its `/.well-known/security.txt`, and in private.'
    : `Report a vulnerability as a [private advisory of the repository](${source.advisories}), not in a public issue.`

/** correctness.md: the begin of the sentence on a wrong verdict. */
export const whereToSayWrong = (source: Source | null): string =>
  source === null ? 'Write to the operator' : `[Open an issue](${source.bugs})`
