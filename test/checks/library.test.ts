import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/checks/checks.ts'
import { CHECK_TYPES } from '../../src/checks/verdict.ts'
import { vectors } from '../support/vectors.ts'

const ROOT = join(import.meta.dirname, '../..')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const folder = mkdtempSync(join(tmpdir(), 'checks-library-'))
const installed = join(folder, 'node_modules/format-checker')

function tsc(...args: string[]) {
  return spawnSync(process.execPath, [TSC, ...args], { cwd: folder, encoding: 'utf8' })
}

beforeAll(() => {
  mkdirSync(installed, { recursive: true })
  symlinkSync(join(ROOT, 'package.json'), join(installed, 'package.json'))
  const { status, stdout } = tsc(
    '-p',
    join(ROOT, 'tsconfig.checks.json'),
    '--outDir',
    join(installed, 'dist/checks'),
  )
  expect([status, stdout]).toEqual([0, ''])
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the checks as a library', () => {
  test('import nothing but themselves, so a browser can load them', () => {
    const files = globSync('dist/checks/**/*.js', { cwd: installed })
    expect(files.length).toBeGreaterThan(60)
    const foreign = files.flatMap((file) => {
      const text = readFileSync(join(installed, file), 'utf8')
      return [...text.matchAll(/(?:from|import)\s*\(?['"]([^'"]+)['"]/g)].map((match) => match[1]!)
    })
    expect(foreign.length).toBeGreaterThan(60)
    expect(foreign.filter((name) => !/^\.{1,2}\/.*\.js$/.test(name))).toEqual([])
  })

  test('give the same bytes as the service, imported by name from another package', () => {
    const values = CHECK_TYPES.flatMap((type) => vectors(type).map(({ value }) => [type, value] as const))
    writeFileSync(
      join(folder, 'consumer.mjs'),
      `import { CHECKS } from 'format-checker/checks'
import { HINTS } from 'format-checker/checks/hints'
const values = JSON.parse(process.argv[2])
if (!HINTS.remove_label.explanation) throw new Error('no explanations')
console.log(JSON.stringify(values.map(([type, value]) => JSON.stringify(CHECKS[type](value)))))`,
    )
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [join(folder, 'consumer.mjs'), JSON.stringify(values)],
      { encoding: 'utf8', maxBuffer: 1 << 24 },
    )
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual(values.map(([type, value]) => JSON.stringify(CHECKS[type](value))))
  })

  test('are typed', () => {
    const source = `import { CHECKS } from 'format-checker/checks'
import type { Verdict } from 'format-checker/checks/verdict'
const verdict: Verdict = CHECKS.iban('DE89')
export const position: number | undefined = verdict.details.position
// @ts-expect-error there is no such check
CHECKS.ssn('1')
`
    writeFileSync(join(folder, 'consumer.ts'), source)
    const options = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext', '--types', '']
    const { status, stdout } = tsc(...options, 'consumer.ts')
    expect([stdout, status]).toEqual(['', 0])
  })
})
