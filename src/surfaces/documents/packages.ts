/**
 * The packages that `npm run pack` writes into `dist/`, served by the service itself.
 *
 * The project owns no name on npm. Unless the operator has published a package and set PACKAGE, every command that
 * installs something names a tarball of this service, and the documents show its digest.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import type { StaticDocument } from '../../http/body/static-document.ts'

const DIST = new URL('../../../dist/', import.meta.url)

export interface Packages {
  /**
   * The arguments of npx for the command: a published name with its version, the URL of a tarball, or the command of a
   * clone.
   */
  readonly npx: readonly [flag: string, ...command: string[]]
  readonly files: readonly PackedFile[]
}

export interface PackedFile {
  readonly url: string
  /** As in a lock file: "sha512-" and base64. */
  readonly integrity: string
  readonly document: StaticDocument
}

export interface PackageOptions {
  readonly baseUrl: string
  readonly version: string
  /** PACKAGE, such as "@owner/format-checker@1.2.0". */
  readonly published: string | null
}

export function readPackages({ baseUrl, version, published }: PackageOptions, directory = DIST): Packages {
  const routes = [
    `/format-checker-${version}.tgz`,
    `/format-checker-checks-${version}.tgz`,
    `/format-checker-${version}.mcpb`,
  ] as const
  const files = routes.flatMap((route): PackedFile[] => {
    const path = new URL(`.${route}`, directory)
    if (!existsSync(path)) return []
    const body = readFileSync(path)
    const integrity = `sha512-${createHash('sha512').update(body).digest('base64')}`
    const modifiedAt = statSync(path).mtimeMs
    const contentType = route.endsWith('.mcpb') ? 'application/zip' : 'application/gzip'
    const document = { route, body, contentType, modifiedAt }
    return [{ url: `${baseUrl}${route}`, integrity, document }]
  })
  const url = `${baseUrl}${routes[0]}`
  const isServed = files.some((file) => file.url === url)
  const command = published ?? (isServed ? url : undefined)
  return { npx: command === undefined ? ['--no', '--', 'format-checker'] : ['-y', command], files }
}

/** One line on where the command comes from; undefined if it is neither published nor packed. */
export function commandLine({ npx: [flag, command], files }: Packages): string | undefined {
  const file = files.find(({ url }) => url === command)
  if (file !== undefined) {
    const check = `curl -fsS ${file.url} | openssl dgst -sha512 -binary | base64 -w0`
    return `The command is served here: <${file.url}>, \`${file.integrity}\`; \`${check}\` prints the digest of what you get.`
  }
  return flag === '-y' ? `The command is published on npm as \`${command}\`.` : undefined
}
