/**
 * Our own styles and scripts, without a build.
 *
 * All of them lie under one directory named after their content, so a cache may keep them for good and modules find
 * each other by relative names.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { StaticDocument } from '../../http/body/static-document.ts'

const DIRECTORY = new URL('./assets/', import.meta.url)
const ONE_YEAR = 31_536_000
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}
/** Served in the sandbox alone. */
const SANDBOX_ONLY = 'sandbox-wallet.js'

export interface Assets {
  readonly documents: readonly StaticDocument[]
  /** The path of one of them; throws for a name there is no file of. */
  pathOf(name: string): string
}

/** Reads them once. */
export function readAssets(sandbox: boolean): Assets {
  const files = readdirSync(DIRECTORY)
    .filter((name) => TYPES[extensionOf(name)] !== undefined && (sandbox || name !== SANDBOX_ONLY))
    .sort()
    .map((name) => ({ name, body: readAsset(name) }))
  const hash = createHash('sha256')
  for (const { name, body } of files) hash.update(`${name} ${body.length} `).update(body)
  const root = `/assets/${hash.digest('hex').slice(0, 16)}`
  const documents = files.map(({ name, body }) => ({
    route: `${root}/${name}`,
    body,
    contentType: TYPES[extensionOf(name)] ?? '',
    maxAge: ONE_YEAR,
  }))
  return {
    documents,
    pathOf: (name) => {
      const found = documents.find(({ route }) => route === `${root}/${name}`)
      if (found === undefined) throw new Error(`there is no asset ${name}`)
      return found.route
    },
  }
}

/** Scripts go out byte for byte; of a style, which a page waits for, the indentation stays behind. */
function readAsset(name: string): Buffer {
  const bytes = readFileSync(new URL(name, DIRECTORY))
  return name.endsWith('.css') ? Buffer.from(bytes.toString().replace(/\n\s+/g, '\n')) : bytes
}

const extensionOf = (name: string): string => name.split('.').at(-1) ?? ''
