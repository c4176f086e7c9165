/**
 * The service serves the packages that `npm run pack` writes into `dist/`. The project owns no name on npm: unless the
 * operator sets PACKAGE, commands name a tarball of this service, and the documents show its digest.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, type StatsListener, statSync, unwatchFile, watchFile } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { StaticDocument } from '../../http/body/static-document.ts'

const DIST = new URL('../../../dist/', import.meta.url)
const LAUNCHER = fileURLToPath(new URL('../../../bin/format-checker.js', import.meta.url))

export interface Packages {
  /**
   * How a host starts the command from any folder: npx with a published name and its version, or with the URL of a tarball;
   * else Node with the launcher of this source.
   */
  readonly command: readonly [program: 'npx' | 'node', ...args: string[]]
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
  readonly packageName: string | null
  /** The reader is on this machine, so the launcher is named by its path; a path of a server is not published. */
  readonly sandbox: boolean
}

export function readPackages(
  { baseUrl, version, packageName, sandbox }: PackageOptions,
  directory = DIST,
): Packages {
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
  const name = packageName ?? (isServed ? url : undefined)
  const launcher = sandbox ? LAUNCHER : 'FOLDER/bin/format-checker.js'
  return { command: name === undefined ? ['node', launcher] : ['npx', '-y', name], files }
}

/** What `npm run pack` writes last. */
const DIGESTS = fileURLToPath(new URL('SHA256SUMS', DIST))
const POLL_MS = 1_000

/** Calls `then` after each `npm run pack`; returns a function that ends it. */
export function onPacked(then: () => void, digests = DIGESTS): () => void {
  const look: StatsListener = (now, before) => {
    if (now.mtimeMs !== before.mtimeMs && now.mtimeMs > 0) then()
  }
  watchFile(digests, { persistent: false, interval: POLL_MS }, look)
  return () => unwatchFile(digests, look)
}

/** One line on where the command comes from; undefined if it is neither published nor packed. */
export function commandLine({ command: [program, , name], files }: Packages): string | undefined {
  const file = files.find(({ url }) => url === name)
  if (file !== undefined) {
    const check = `curl -fsS ${file.url} | openssl dgst -sha512 -binary | base64 -w0`
    return `The command is served here: <${file.url}>, \`${file.integrity}\`; \`${check}\` prints the digest of what you get.`
  }
  return program === 'npx' ? `The command is published on npm as \`${name}\`.` : undefined
}

/** The command with more arguments, for a shell. */
export const shellLine = (words: readonly string[]): string =>
  words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ')
