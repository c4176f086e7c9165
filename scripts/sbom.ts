/** `npm run --silent sbom > sbom.json`: the bill of materials of a running service, written by npm from the lock file. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readLock } from './read-lock.ts'

const SBOM = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']

/**
 * CycloneDX. npm's own `--omit dev` also leaves out what tools and service have in common (npm 11), so npm is shown a
 * project without tools; nor can it name our own packages, which have no version. Without time and number of the run, so
 * that the same lock file gives the same.
 */
export function sbomOf(root: string) {
  const folder = mkdtempSync(join(tmpdir(), 'format-checker-sbom-'))
  try {
    const { devDependencies: _tools, workspaces: _own, ...project } = jsonIn(root, 'package.json')
    const { packages, ...lock } = jsonIn(root, 'package-lock.json')
    const running = readLock(join(root, 'package-lock.json')).filter(({ dev }) => !dev)
    const kept = running.map(({ path }) => [path, packages[path]])
    writeFileSync(join(folder, 'package.json'), JSON.stringify(project))
    writeFileSync(
      join(folder, 'package-lock.json'),
      JSON.stringify({ ...lock, packages: { '': project, ...Object.fromEntries(kept) } }),
    )
    const written = JSON.parse(execFileSync('npm', SBOM, { cwd: folder, encoding: 'utf8' }))
    const { serialNumber: _number, metadata, ...sbom } = written
    const { timestamp: _time, component, ...rest } = metadata
    // npm takes the name of the folder.
    return { ...sbom, metadata: { ...rest, component: { ...component, name: project.name } } }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const jsonIn = (root: string, name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))

if (import.meta.main)
  console.log(JSON.stringify(sbomOf(fileURLToPath(new URL('../', import.meta.url))), null, 2))
