/**
 * Without a build. One directory has the hash of their content as its name, so caches may keep them and modules import
 * each other by relative names.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { StaticDocument } from '../../http/body/static-document.ts'
import { PATHS } from '../call/paths.ts'

const DIRECTORY = new URL('./assets/', import.meta.url)
const ONE_YEAR = 31_536_000
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
}
const SANDBOX_ONLY = 'sandbox-wallet.js'

export interface Asset {
  readonly name: string
  readonly body: string
}

export interface Assets {
  readonly documents: readonly StaticDocument[]
  /** Throws for an unknown name. */
  pathOf(name: string): string
}

/** The picture shown where a page is shared; its address is the same in every version. */
export const SOCIAL_CARD = { route: PATHS.socialCard, width: 1200, height: 630 } as const

export const socialCard = (): StaticDocument => ({
  route: SOCIAL_CARD.route,
  body: readFileSync(new URL('social-card.png', DIRECTORY)),
  contentType: 'image/png',
})

/** Reads every asset once; `made` are those without a file. */
export function readAssets(sandbox: boolean, made: readonly Asset[]): Assets {
  const own = readdirSync(DIRECTORY)
    .filter((name) => /\.(?:css|js)$/.test(name) && (sandbox || name !== SANDBOX_ONLY))
    .sort()
    .map((name) => ({ name, body: readFileSync(new URL(name, DIRECTORY), 'utf8') }))
  const search = {
    name: 'minisearch.js',
    body: readFileSync(new URL(import.meta.resolve('minisearch')), 'utf8'),
  }
  const files = [...own, search, ...made].map(({ name, body }) => ({
    name,
    body: shortened(body, extname(name)),
  }))
  const hash = createHash('sha256')
  for (const { name, body } of files) hash.update(`${name} ${body.length} `).update(body)
  const root = `${PATHS.assets}/${hash.digest('hex').slice(0, 16)}`
  const documents = files.map(({ name, body }) => ({
    route: `${root}/${name}`,
    body,
    contentType: TYPES[extname(name)] ?? '',
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

/** Styles without their indentation, scripts without the comments on lines of their own. */
function shortened(text: string, extension: string): string {
  if (extension === '.json') return text
  if (extension === '.css') return text.replace(/\n\s+/g, '\n')
  return text.replaceAll(/^ *\/\*\*(?:[^*]|\*(?!\/))*\*\/\n|^ *\/\/.*\n/gm, '')
}
