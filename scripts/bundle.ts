import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OutputOptions, type Plugin, rolldown } from 'rolldown'
import { sharedModules } from '../src/surfaces/site/shared-modules.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
/** From here, and from any folder as deep, a bundle reads documents, pages and skills as the sources do. */
export const HOME = join(ROOT, 'dist/service')
/** With native parts, or looking for one. */
const OUTSIDE = ['better-sqlite3', 'secp256k1', 'pg']

/** A module keeps its own address, from which it finds the files beside it. */
const ownAddress: Plugin = {
  name: 'own-address',
  transform(code, id) {
    if (!id.startsWith(`${ROOT}src/`)) return null
    const address = (path: string) => `new URL(${JSON.stringify(relative(HOME, path))}, import.meta.url)`
    const changed = code
      .replaceAll('import.meta.url', `${address(id)}.href`)
      .replaceAll('import.meta.dirname', `${address(dirname(id))}.pathname`)
    return changed === code ? null : changed
  },
}

/** Types are stripped from what browsers get, too, so that Node need not load what strips them. */
const withoutStripping: Plugin = {
  name: 'without-stripping',
  load: (id) =>
    id.endsWith('/src/surfaces/site/shared-modules.ts')
      ? `export const sharedModules = () => ${JSON.stringify(sharedModules())}`
      : null,
}

export interface Chunk {
  readonly name: string
  readonly code: string
}

/** Modules of ours with those of the packages they use, as a few files without types, the entries under the names given. */
export async function bundle(
  input: Readonly<Record<string, string>>,
  minify: OutputOptions['minify'] = false,
): Promise<Chunk[]> {
  const built = await rolldown({
    input: { ...input },
    cwd: ROOT,
    platform: 'node',
    external: OUTSIDE,
    plugins: [withoutStripping, ownAddress],
  })
  const { output } = await built.generate({ format: 'esm', minify })
  return output.map((chunk) => {
    if (chunk.type !== 'chunk') throw new Error(`${chunk.fileName} is no module`)
    return { name: chunk.fileName, code: inAscii(chunk.code) }
  })
}

/** V8 keeps a source with any other character in two bytes for each one. */
function inAscii(code: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return code.replace(/[^\0-\x7f]/g, escaped)
}
