/**
 * `npm run pack [-- FOLDER]`: writes the tarballs that others install into FOLDER, by default dist/, with SBOM, provenance
 * and digests.
 *
 * The command of a buyer is one bundle without dependencies. The checks stay one module per source file, so that the
 * bundler of an importer takes what it imports. PACKAGE (`@owner/format-checker@1.2.0`) is the published name; without it
 * both can be installed from their files and not be published.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packExtension } from '@anthropic-ai/mcpb'
import { type Plugin, rolldown } from 'rolldown'
import { BUYER_COMMANDS } from '../src/command-line/commands.ts'
import { renderProgramHelp } from '../src/command-line/help.ts'
import { PUBLISHED } from './checks-entries.ts'
import { writeEvidence } from './release-evidence.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
/** Of the service that will give the bundle away; without it the bundle asks for the address. */
const { BASE_URL } = process.env
const FOLDER = resolve(process.argv[2] ?? join(ROOT, 'dist'))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const { version, license, repository, homepage, bugs } = JSON.parse(read('package.json'))
/** The oldest Node with `node:sqlite`. */
const OLDEST = [22, 13] as const

/** Says version and help before anything is loaded; CommonJS, as `bin/format-checker.js` of a clone is. */
const launcher = (help: string): string => `#!/usr/bin/env node
const [name, ...rest] = process.argv.slice(2)
const [major, minor] = process.versions.node.split('.').map(Number)
if (['--version', '-v', '-V'].includes(name)) console.log(${JSON.stringify(version)})
else if (['--help', '-h', 'help'].includes(name) && rest.length === 0) console.log(${JSON.stringify(help)})
else if (major > ${OLDEST[0]} || (major === ${OLDEST[0]} && minor >= ${OLDEST[1]})) import('../build/cli.js')
else {
  console.error(\`format-checker needs Node ${OLDEST.join('.')} or newer, and this is \${process.versions.node}; install one from https://nodejs.org\`)
  process.exitCode = 1
}
`

/** What the sources read from the clone around them. */
const withoutClone: Plugin = {
  name: 'without-clone',
  load: (id) =>
    id.endsWith('/src/files/version.ts')
      ? `export const VERSION = ${JSON.stringify(version)}`
      : id.endsWith('/src/command-line/taught-form.ts')
        ? `export const TAUGHT_FORM = ${JSON.stringify(process.env.PACKAGE === undefined ? 'format-checker' : `npx ${process.env.PACKAGE}`)}`
        : null,
  transform: (code, id) =>
    id.endsWith('/src/catalog/load.ts') ? code.replace("'../../skills'", "'./skills'") : null,
}

/** Throws if the command would need a package at run time. */
async function buildCommand(folder: string): Promise<object> {
  const bundle = await rolldown({
    input: join(ROOT, 'packages/command/src/cli.ts'),
    platform: 'node',
    plugins: [withoutClone],
  })
  const { output } = await bundle.write({ dir: join(folder, 'build'), format: 'esm', minify: true })
  const own = output.map(({ fileName }) => fileName)
  const outside = output
    .flatMap((chunk) => (chunk.type === 'chunk' ? [...chunk.imports, ...chunk.dynamicImports] : []))
    .filter((name) => !isBuiltin(name) && !own.includes(name))
  if (outside.length > 0) throw new Error(`the command would need ${outside.join(', ')}`)
  cpSync(join(ROOT, 'skills'), join(folder, 'build/skills'), { recursive: true })
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/format-checker.js'), launcher(renderProgramHelp(BUYER_COMMANDS)), {
    mode: 0o755,
  })
  cpSync(join(ROOT, 'bin/package.json'), join(folder, 'bin/package.json'))
  const { description } = JSON.parse(read('packages/command/package.json'))
  return {
    description,
    // The entry of the MCP registry names this package, and the package that entry.
    mcpName: (JSON.parse(read('server.json')) as { name: string }).name,
    // Not in the manifest of the clone: npm would look for it there.
    bin: { 'format-checker': 'bin/format-checker.js' },
    engines: { node: `>=${OLDEST.join('.')}` },
    files: ['bin', 'build', 'NOTICE', 'CHANGELOG.md'],
  }
}

async function buildChecks(folder: string): Promise<object> {
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  execFileSync(process.execPath, [
    tsc,
    ...['-p', join(ROOT, 'packages/checks'), '--outDir', join(folder, 'build')],
  ])
  const { description, sideEffects } = JSON.parse(read('packages/checks/package.json'))
  const built = (module: string, ending: string) => `./build/${module.replace(/\.ts$/, ending)}`
  return {
    description,
    sideEffects,
    exports: Object.fromEntries(
      PUBLISHED.map(([subpath, module]) => [
        subpath,
        { types: built(module, '.d.ts'), default: built(module, '.js') },
      ]),
    ),
    files: ['build', 'NOTICE', 'CHANGELOG.md'],
  }
}

/** The published name, or none; its version must be that of the changelog. */
function publishedName(): string | undefined {
  const [, newest] = /^## \[(\d+\.\d+\.\d+)\]/m.exec(read('CHANGELOG.md')) ?? []
  if (newest !== version)
    throw new Error(`package.json says ${version} and CHANGELOG.md ${newest}: npm run set-version`)
  const given = process.env.PACKAGE
  if (given === undefined) return undefined
  const [, name, of] = /^(@[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._-]*)@(\d+\.\d+\.\d+)$/.exec(given) ?? []
  if (name === undefined || of !== version)
    throw new Error(`PACKAGE must be @owner/name@${version}: a scope that you own, and this version`)
  return name
}

async function pack(part: string, suffix: string, build: (folder: string) => Promise<object>): Promise<void> {
  const folder = join(FOLDER, part)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const manifest = await build(folder)
  const published = publishedName()
  const name = `${published ?? 'format-checker'}${suffix}`
  const guard = published === undefined ? { private: true } : { publishConfig: { access: 'public' } }
  // What is not set is left out.
  const source = { repository, homepage, bugs }
  const whole = { name, version, license, ...source, type: 'module', ...guard, ...manifest }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(whole, null, 2)}\n`)
  for (const file of ['LICENSE', 'NOTICE', 'CHANGELOG.md']) cpSync(join(ROOT, file), join(folder, file))
  writeFileSync(join(folder, 'README.md'), read(`packages/${part}/README.md`).replaceAll('PACKAGE', name))
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', FOLDER], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const report = JSON.parse(packed) as readonly PackReport[] | Record<string, PackReport>
  for (const { filename, size, integrity } of Object.values(report)) console.log(filename, size, integrity)
}

/** The bundle of Claude Desktop: the files of the command, with a form for its settings. */
async function bundleForDesktop(): Promise<void> {
  const folder = join(FOLDER, 'command')
  const manifest = JSON.parse(read('packages/command/manifest.json'))
  Object.assign(manifest, { version, license })
  if (BASE_URL) manifest.user_config.url.default = new URL(BASE_URL).origin
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const name = `format-checker-${version}.mcpb`
  if (!(await packExtension({ extensionPath: folder, outputPath: join(FOLDER, name), silent: true })))
    throw new Error('the bundle for Claude Desktop was not written')
  const body = withoutTimes(readFileSync(join(FOLDER, name)))
  writeFileSync(join(FOLDER, name), body)
  console.log(name, body.length, `sha512-${createHash('sha512').update(body).digest('base64')}`)
}

/** The first moment that a ZIP can name, 1980-01-01, as a DOS time with its date behind it. */
const FIRST_TIME = 0x21_0000

/** A ZIP without a comment, with the same time for each entry in both of its headers: two builds are then the same bytes. */
function withoutTimes(zip: Buffer): Buffer {
  const end = zip.length - 22
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    zip.writeUInt32LE(FIRST_TIME, at + 12)
    zip.writeUInt32LE(FIRST_TIME, zip.readUInt32LE(at + 42) + 10)
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return zip
}

interface PackReport {
  readonly filename: string
  /** Bytes. */
  readonly size: number
  readonly integrity: string
}

await pack('command', '', buildCommand)
await bundleForDesktop()
await pack('checks', '-checks', buildChecks)
writeEvidence(ROOT, FOLDER)
