import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../support/command.ts'
import { scratchDir } from '../support/service-process.ts'
import { vectors } from '../support/vectors.ts'
import { installTarball, listTarball, packInto } from './packed.ts'

const LISTS = 'iban/bank-lists.generated.json'
const scratch = scratchDir()
const tarball = join(scratch.path, 'format-checker-checks-1.2.0.tgz')
let project: string
let installed: string
beforeAll(() => {
  packInto(scratch.path)
  project = installTarball(tarball, join(scratch.path, 'project'))
  installed = join(project, 'node_modules/format-checker-checks')
})
afterAll(() => scratch.remove())

function runModule(code: string, ...args: string[]): string {
  const file = join(project, 'consumer.js')
  writeFileSync(file, code)
  return execFileSync(process.execPath, [file, ...args], { encoding: 'utf8', maxBuffer: 1 << 24 })
}

describe('the package of the checks', () => {
  test('holds its build, README, LICENSE, NOTICE and CHANGELOG, and brings no other package', () => {
    const files = listTarball(tarball).filter((path) => !/^build\/[\w/-]+(?:\.d\.ts|\.js)$/.test(path))
    expect(files.toSorted()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'NOTICE',
      'README.md',
      `build/${LISTS}`,
      'package.json',
    ])
    expect(globSync('node_modules/*', { cwd: project })).toEqual(['node_modules/format-checker-checks'])
  })

  test('imports nothing but itself, so a browser can load it', () => {
    const files = globSync('build/**/*.js', { cwd: installed })
    expect(files.length).toBeGreaterThan(60)
    const imported = files.flatMap((file) => {
      const text = readFileSync(join(installed, file), 'utf8')
      return [...text.matchAll(/(?:from|import)\s*\(?['"]([^'"]+)['"]/g)].map((match) => match[1]!)
    })
    expect(imported.length).toBeGreaterThan(60)
    expect(imported.filter((name) => !/^\.{1,2}\/.*\.js$/.test(name))).toEqual([
      './bank-lists.generated.json',
    ])
  })

  test('gives the same bytes as the service, those of IBANs with the lists of banks', () => {
    const values = CHECK_TYPES.flatMap((type) => vectors(type).map(({ value }) => [type, value] as const))
    const printed = runModule(
      `import { CHECKS as LIGHT } from 'format-checker-checks'
import { checkIbanAndBank } from 'format-checker-checks/iban-banks'
const CHECKS = { ...LIGHT, iban: checkIbanAndBank }
const values = JSON.parse(process.argv[2])
console.log(JSON.stringify(values.map(([type, value]) => JSON.stringify(CHECKS[type](value)))))`,
      JSON.stringify(values),
    )
    expect(JSON.parse(printed)).toEqual(values.map(([type, value]) => JSON.stringify(CHECKS[type](value))))
  })

  test('does what its README says', () => {
    const readme = readFileSync(join(installed, 'README.md'), 'utf8')
    for (const [, code = ''] of readme.matchAll(/```js\n([^`]+)```/g)) {
      const said = [...code.matchAll(/\/\/ (.+)$/gm)].map(([, text]) => text as string)
      const printed = runModule(code).trim().split('\n')
      for (const text of said.filter((each) => !each.startsWith('all six'))) expect(printed).toContain(text)
    }
  })

  test('is typed', () => {
    writeFileSync(
      join(project, 'consumer.ts'),
      `import { CHECKS } from 'format-checker-checks'
import { checkIban } from 'format-checker-checks/iban'
import type { Verdict } from 'format-checker-checks/verdict'
const verdict: Verdict = checkIban('DE89')
export const position: number | undefined = verdict.details.position
// @ts-expect-error there is no such check
CHECKS.ssn('1')
`,
    )
    const options = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext', '--types', '']
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    const { status, stdout } = spawnSync(process.execPath, [tsc, ...options, 'consumer.ts'], {
      cwd: project,
      encoding: 'utf8',
    })
    expect([stdout, status]).toEqual(['', 0])
  })

  test.each([
    ['iban', 'checkIban'],
    ['iban-banks', 'checkIbanAndBank'],
    ['eu-vat', 'checkEuVat'],
    ['pl-nip', 'checkPlNip'],
    ['pl-regon', 'checkPlRegon'],
    ['pl-pesel', 'checkPlPesel'],
    ['email', 'checkEmail'],
    ['', 'CHECKS'],
  ])('one import brings that check alone, as large as its README says: %s', async (subpath, name) => {
    const entry = join(project, `entry-${name}.js`)
    const from = subpath === '' ? 'format-checker-checks' : `format-checker-checks/${subpath}`
    const readme = readFileSync(join(installed, 'README.md'), 'utf8')
    const most = 1_000 * Number(readme.split(`| \`${from}\` | `)[1]?.split(' ')[0])
    writeFileSync(entry, `import { ${name} } from '${from}'\nglobalThis.used = ${name}\n`)
    const bundle = await rolldown({ input: entry, cwd: project, platform: 'browser' })
    const { output } = await bundle.generate({ format: 'esm', minify: true })
    expect(output).toHaveLength(1)
    const bytes = Buffer.byteLength(output[0].code)
    expect(bytes).toBeLessThanOrEqual(most)
    expect(bytes).toBeGreaterThan(0.9 * most)
  })
})
