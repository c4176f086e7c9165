import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ALLOWED_LICENSES, kindOf, REASONS, SCRIPTS } from '../scripts/dependencies-doc.ts'
import { readLock } from '../scripts/read-lock.ts'
import { sbomOf } from '../scripts/sbom.ts'

const ROOT = new URL('../', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'))
const lock = JSON.parse(readFileSync(new URL('package-lock.json', ROOT), 'utf8'))
const packages = readLock(new URL('package-lock.json', ROOT))
const running = packages.filter(({ dev }) => !dev)
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
/** A whole line that imports a package, or is the end of such a statement. */
const IMPORT = /^(?:import '|(?:import|export|\}) [^'\n]*from ')([^'.\n][^'\n]*)'$/gm
const runtime = [
  ...new Set(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }).map(kindOf)),
]

describe('what is installed', () => {
  test.each(KINDS)('is named by its exact version: %s', (kind) => {
    for (const version of Object.values<string>(manifest[kind]))
      expect(version).toMatch(/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/)
  })

  test.each(KINDS)('is what the lock file was made for: %s', (kind) => {
    expect(lock.packages[''][kind]).toEqual(manifest[kind])
  })

  test.each([
    ['checks', 'format-checker-checks'],
    ['command', 'format-checker-command'],
  ])('for a package of ours is what it imports, in the versions of the project: %s', (folder, name) => {
    const { dependencies = {}, ...own } = JSON.parse(
      readFileSync(new URL(`packages/${folder}/package.json`, ROOT), 'utf8'),
    )
    expect(own.name).toBe(name)
    const imported = packagesIn(`packages/${folder}/src/**/*.ts`)
    expect(Object.keys(dependencies).toSorted()).toEqual([...imported].toSorted())
    for (const [each, version] of Object.entries(dependencies))
      expect(version, each).toBe(manifest.dependencies[each] ?? '*')
  })

  test('comes from the registry, and has a digest it is held against', () => {
    const loose = packages.filter(
      ({ resolved, integrity }) => resolved !== '' || !integrity.startsWith('sha512-'),
    )
    expect(loose).toEqual([])
  })

  test('runs no scripts but those that are listed', () => {
    const run = packages.filter(({ runsScript }) => runsScript).map(({ name }) => name)
    const allowed = Object.entries<boolean>(manifest.allowScripts).flatMap(([name, may]) => (may ? name : []))
    expect(allowed).toEqual(Object.keys(SCRIPTS))
    // Every other package that has one is named as not allowed to run it.
    expect(run.filter((name) => manifest.allowScripts[name] === undefined)).toEqual([])
    expect(readFileSync(new URL('Dockerfile', ROOT), 'utf8')).toContain('--ignore-scripts')
  })
})

describe('what a running service holds', () => {
  test('has a licence that asks nothing of ours', () => {
    const others = running.filter(({ license }) => license === null || !ALLOWED_LICENSES.has(license))
    expect(others.map(({ name, license }) => `${name}: ${license}`)).toEqual([])
  })

  test('is named for a reason, and nothing else is', () => {
    expect(runtime.toSorted()).toEqual(Object.keys(REASONS).toSorted())
  })

  test('holds anvil for each machine that Foundry publishes it for, in one version', () => {
    const anvils = packages.filter(({ name }) => kindOf(name) === '@foundry-rs/anvil-*')
    expect(anvils.map(({ path }) => lock.packages[path]).map(({ os, cpu }) => `${os} ${cpu}`)).toEqual([
      'darwin x64',
      'darwin arm64',
      'linux x64',
      'linux arm64',
      'win32 x64',
    ])
    expect(new Set(anvils.map(({ version }) => version)).size).toBe(1)
    expect(anvils.filter(({ optional }) => !optional)).toEqual([])
  })

  test('is used by the code that runs', () => {
    const code = globSync(['src/**/*.ts', 'bin/*.js'], { cwd: ROOT }).map((path) =>
      readFileSync(new URL(path, ROOT), 'utf8'),
    )
    const isUsed = (name: string) =>
      code.some((text) => text.includes(`'${name}'`) || text.includes(`'${name}/`))
    expect(runtime.filter((name) => !isUsed(name) && name !== '@foundry-rs/anvil-*')).toEqual([])
  })

  test('is all that the code imports', () => {
    const imported = packagesIn('src/**/*.ts')
    imported.delete('format-checker-checks')
    expect([...imported].filter((name) => !runtime.includes(name))).toEqual([])
  })
})

describe('the bill of materials', () => {
  const sbom = sbomOf(fileURLToPath(ROOT))

  test('names every package of a running service once, with digest, licence and origin', () => {
    const named = (each: { name: string; version: string }) => `${each.name}@${each.version}`
    expect(sbom.components.map(named).toSorted()).toEqual([...new Set(running.map(named))].toSorted())
    for (const { purl, hashes, licenses } of sbom.components)
      expect({ purl, hashes, licenses }).toEqual({
        purl: expect.stringMatching(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/),
        hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
        licenses: [expect.any(Object)],
      })
  })

  test('is the same for the same lock file', () => {
    expect(sbomOf(fileURLToPath(ROOT))).toEqual(sbom)
    expect(JSON.stringify(sbom)).toContain('"name":"format-checker"')
  })
})

function packagesIn(pattern: string): Set<string> {
  // The page's snippets are code of others.
  const sources = globSync(pattern, { cwd: ROOT }).filter((path) => !path.endsWith('snippets.ts'))
  const specifiers = sources.flatMap((path) =>
    [...readFileSync(new URL(path, ROOT), 'utf8').matchAll(IMPORT)].map(([, specifier = '']) => specifier),
  )
  return new Set(
    specifiers
      .filter((specifier) => !specifier.startsWith('node:'))
      .map((specifier) =>
        specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
  )
}
