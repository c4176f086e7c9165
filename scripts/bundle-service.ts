/**
 * `npm run bundle [-- FOLDER]`: writes the service as the image runs it, by default into dist/service: its modules, and those
 * of its packages, as a few files without types. From dist/service it reads documents, pages and skills as the sources do.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bundle, HOME } from './bundle.ts'

const FOLDER = resolve(process.argv[2] ?? HOME)

rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
// Names stay as they are, for the stacks of the log.
const minify = { compress: true, mangle: false, codegen: true }
for (const { name, code } of await bundle({ main: 'src/main.ts' }, minify)) {
  writeFileSync(join(FOLDER, name), code)
  console.log(name, code.length)
}
