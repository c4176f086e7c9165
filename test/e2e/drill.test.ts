import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { outcomeOf, ROOT } from '../support/command.ts'

const script = readFileSync(join(ROOT, 'scripts/drill.ts'), 'utf8')
const runbook = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8')

test('the runbook names every drill, and each is played by tests that exist', async () => {
  const { code, stderr } = await outcomeOf([join(ROOT, 'scripts/drill.ts'), 'unknown'])
  expect(code).toBe(2)
  const [, names = ''] = /drill -- (\S+) /.exec(stderr.join()) ?? []
  for (const name of names.split('|')) expect(runbook).toMatch(new RegExp(`\`${name}( \\[VERSION\\])?\``))
  expect(names.split('|')).toEqual(['restore', 'rotate', 'failover', 'update', 'pause'])
  const files = [...script.matchAll(/'(test\/[^']+)'/g)].map(([, file = '']) => file)
  expect(files.length).toBeGreaterThanOrEqual(4)
  for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true)
})

test('an update from a version that is no release fails in words', async () => {
  const { code, stdout, stderr } = await outcomeOf([join(ROOT, 'scripts/drill.ts'), 'update', 'v0.0.0'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: ['update: fail'] })
  expect(stderr).toEqual([
    expect.stringMatching(/^"v0\.0\.0" is not a released version: a store from before/),
  ])
})
