import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { HELD, outdatedReport } from '../scripts/outdated-report.ts'
import { outcomeOf, ROOT } from './support/command.ts'
import { scratchDir } from './support/service-process.ts'

const scratch = scratchDir()
afterAll(scratch.remove)

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const given = {
  dependencies: { express: '5.3.0', viem: '2.56.7' },
  devDependencies: { vitest: '5.1.1', '@types/node': '24.19.2', old: '1.0.0' },
  optionalDependencies: { secp256k1: '5.0.2' },
}

/** The script with an npm that answers this. */
function run(answer: string) {
  const npm = join(scratch.path, 'npm')
  writeFileSync(join(scratch.path, 'answer'), answer)
  writeFileSync(npm, `#!/bin/sh\ncat ${join(scratch.path, 'answer')}\nexit 1\n`)
  chmodSync(npm, 0o755)
  return outcomeOf([join(ROOT, 'scripts/outdated.ts')], {
    env: { PATH: `${scratch.path}:${process.env.PATH}` },
  })
}

test('parts of the service come first, small steps before large ones, and what is held says why', () => {
  const report = outdatedReport(
    {
      vitest: { current: '5.1.1', latest: '5.1.2' },
      viem: { current: '2.56.7', latest: '2.60.0' },
      express: { current: '5.3.0', latest: '6.0.0' },
      secp256k1: { current: '5.0.2', latest: '5.0.3' },
      '@types/node': { current: '24.19.2', latest: '26.6.6' },
      old: { current: '1.0.0', latest: '0.9.0' },
    },
    given,
  )
  const rows = report.split('\n').slice(2, -1)
  expect(rows.map((row) => row.split(' | ').slice(0, 5).join(' '))).toEqual([
    '| secp256k1 5.0.2 5.0.3 patch service',
    '| viem 2.56.7 2.60.0 minor service',
    '| express 5.3.0 6.0.0 major service',
    '| vitest 5.1.1 5.1.2 patch tests and tools',
    '| @types/node 24.19.2 26.6.6 major tests and tools',
  ])
  expect(rows[4]).toContain(HELD['@types/node'])
})

test('packages that are held are named in package.json', () => {
  const named = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
  for (const name of Object.keys(HELD)) expect(named).toContain(name)
})

test('the script prints the table of what npm says', async () => {
  const { code, stdout } = await run('{"helmet":{"current":"5.3.0","wanted":"5.3.0","latest":"5.3.1"}}')
  expect(code).toBe(0)
  expect(stdout.at(-1)).toBe('| helmet | 5.3.0 | 5.3.1 | patch | service |  |')
  expect((await run('')).stdout).toEqual(['Every named package is at its latest version.'])
})

test.each([
  '{"error":{"code":"ENOTFOUND"}}',
  'npm warn',
])('a registry that does not answer is an error: %s', async (answer) => {
  const { code, stdout, stderr } = await run(answer)
  expect([code, stdout, stderr]).toEqual([1, [], ['npm could not ask the registry']])
})
