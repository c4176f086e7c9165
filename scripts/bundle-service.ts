/**
 * `npm run bundle [-- FOLDER]`: writes the service as the image runs it, by default into dist/service: its modules, and those
 * of its packages, as a few files without types. From dist/service it reads documents, pages and skills as the sources do.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { sharedModules } from '../src/surfaces/site/shared-modules.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const HOME = join(ROOT, 'dist/service')
const FOLDER = resolve(process.argv[2] ?? HOME)
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

rmSync(FOLDER, { recursive: true, force: true })
const bundle = await rolldown({
  input: `${ROOT}src/main.ts`,
  platform: 'node',
  external: OUTSIDE,
  plugins: [withoutStripping, ownAddress],
})
// Names stay as they are, for the stacks of the log.
const { output } = await bundle.generate({
  format: 'esm',
  minify: { compress: true, mangle: false, codegen: true },
})
mkdirSync(FOLDER, { recursive: true })
for (const chunk of output) {
  if (chunk.type !== 'chunk') throw new Error(`${chunk.fileName} is no module`)
  writeFileSync(join(FOLDER, chunk.fileName), inAscii(chunk.code))
  console.log(chunk.fileName, chunk.code.length)
}

/** V8 keeps a source with any other character in two bytes for each one. */
function inAscii(code: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return code.replace(/[^\0-\x7f]/g, escaped)
}
