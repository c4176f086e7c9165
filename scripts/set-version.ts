// Writes the newest version of CHANGELOG.md wherever the one of package.json stands as ours: `npm run set-version`.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('../', import.meta.url)))
const read = (path: string) => readFileSync(path, 'utf8')
const { version: old } = JSON.parse(read('package.json')) as { version: string }
const [, next] = /^## \[(\d+\.\d+\.\d+)\]/m.exec(read('CHANGELOG.md')) ?? []
if (next === undefined) throw new Error('CHANGELOG.md names no version: "## [1.3.0] - DATE"')

const dots = old.replaceAll('.', '\\.')
/** Packages of others may have the same version, so it is ours by what stands before it. */
const OURS = [
  `("name": "format-checker",\\s+"version": ")${dots}`,
  `(format-checker(?:-checks)?[@:-]v?)${dots}`,
  `(service description is )${dots}`,
  `(newTag: )${dots}`,
  `(default = ")${dots}`,
  `(version ?: ')${dots}`,
  `((?:describes|says) version )${dots}`,
  `('|", ")${dots}(?=')`,
]
const SKIPPED = [
  'CHANGELOG.md',
  'docs/evidence/clients-tested.*',
  'test/conformance/package-lock.json',
  'test/spreadsheets/package-lock.json',
  'bench',
]

const files = execFileSync('git', ['ls-files', '--', '.', ...SKIPPED.map((path) => `:!${path}`)], {
  encoding: 'utf8',
})
for (const path of files.trim().split('\n')) {
  const text = read(path)
  const changed = OURS.reduce((found, before) => found.replaceAll(new RegExp(before, 'g'), `$1${next}`), text)
    .replaceAll(
      `format-checker-migrate-${old.replaceAll('.', '-')}`,
      `format-checker-migrate-${next.replaceAll('.', '-')}`,
    )
    .replace(path === 'server.json' ? `"version": "${old}"` : /$^/, `"version": "${next}"`)
  if (changed === text) continue
  writeFileSync(path, changed)
  console.log(path)
}
