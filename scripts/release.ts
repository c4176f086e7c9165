/**
 * `npm run release`: makes what a release consists of, from a committed state, and publishes nothing. It writes the packages
 * with bill of materials, provenance and digests, and the changelog's section, into `dist/`; builds the image where Docker
 * runs; and prints the name of the tag with the steps that are left.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tooOld } from './bank-lists.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const run = (program: string, args: readonly string[]) =>
  execFileSync(program, args, { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' })

const changed = execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' })
if (changed !== '') {
  console.error(`release: commit these first:\n${changed}`)
  process.exit(1)
}
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
const [, section] =
  new RegExp(`^## \\[${version}\\][^\n]*\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, 'm').exec(
    readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'),
  ) ?? []
if (section === undefined) {
  console.error(`release: CHANGELOG.md has no section ${version}; run npm run set-version`)
  process.exit(1)
}

const old = tooOld(new Date().toISOString().slice(0, 10))
if (old.length > 0) {
  console.error(`release: take new lists of banks, which warn of unknown codes, for ${old.join(', ')}`)
  process.exit(1)
}

run('npm', ['run', 'check'])
run('npm', ['run', 'pack'])
writeFileSync(join(ROOT, 'dist/release-notes.md'), `${section.trim()}\n`)
const image = `format-checker:${version}`
const hasDocker = spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0
if (hasDocker) run('docker', ['build', '--tag', image, '.'])
console.log(`
release ${version}: packages, bill of materials, provenance, SHA256SUMS and release-notes.md are in dist/
image: ${hasDocker ? image : 'not built, since Docker does not run here; docker buildx bake builds it'}
tag: git tag -s v${version} -F dist/release-notes.md
left: .ci/run, npm run test:image, the tag, and publishing (docs/evidence/release.md)`)
