import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sbomOf } from './sbom.ts'

const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/**
 * Writes what others check a release by, beside its files in a folder: the bill of materials with each licence, a
 * statement of their origin (in-toto, SLSA provenance 1), and SHA256SUMS of all of them. Nothing is signed. A second
 * build of a commit gives the same bytes.
 */
export function writeEvidence(root: string, folder: string): void {
  const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const lock = join(root, 'package-lock.json')
  const named = (what: string) => join(folder, `${project.name}-${project.version}.${what}.json`)
  const write = (file: string, content: unknown) =>
    writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
  write(named('cdx'), sbomOf(root))
  write(named('provenance'), {
    _type: 'https://in-toto.io/Statement/v1',
    subject: digestsIn(folder, /\.(tgz|mcpb|cdx\.json)$/).map(([name, digest]) => ({
      name,
      digest: { sha256: digest },
    })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:format-checker:npm-run-pack:1',
        externalParameters: {
          version: project.version,
          package: process.env.PACKAGE ?? null,
          address: process.env.BASE_URL ?? null,
        },
        internalParameters: { node: process.versions.node },
        resolvedDependencies: [
          ...sourceOf(root),
          { name: 'package-lock.json', digest: { sha256: sha256(lock) } },
        ],
      },
      runDetails: { builder: { id: process.env.BUILDER_ID ?? 'urn:format-checker:unnamed-builder' } },
    },
  })
  const sums = digestsIn(folder, /\.(tgz|mcpb|json)$/).map(([name, digest]) => `${digest}  ${name}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
}

/** The files of a folder by name. */
const digestsIn = (folder: string, names: RegExp) =>
  readdirSync(folder)
    .filter((name) => names.test(name) && statSync(join(folder, name)).isFile())
    .toSorted()
    .map((name) => [name, sha256(join(folder, name))] as const)

/** The commit, marked if files differ from it; nothing outside a clone, as in the build of the image. */
function sourceOf(root: string): readonly object[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const changed = git('status', '--porcelain') === '' ? {} : { annotations: { changed: true } }
    return [{ name: 'source', digest: { gitCommit: git('rev-parse', 'HEAD') }, ...changed }]
  } catch {
    return []
  }
}
