import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { IBAN_RELEASE } from '../../src/iban/registry.ts'

const ROOT = join(import.meta.dirname, '../../../..')
/** What tells of an earlier release on purpose. */
const HISTORY = ['CHANGELOG.md']

const published = globSync(
  ['*.md', 'docs/**/*.md', 'skills/**/*', 'agent-card/**/*', 'server.json', '{src,packages/*/src}/**/*.ts'],
  {
    cwd: ROOT,
    withFileTypes: true,
  },
).filter((entry) => entry.isFile())

test('every published text names the release of the IBAN registry that is in force', () => {
  expect(published.length).toBeGreaterThan(100)
  const named = published
    .filter(({ name }) => !HISTORY.includes(name))
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name)
      const text = readFileSync(path, 'utf8')
      return [...text.matchAll(/iban:swift-r(\d+)|registry,? release (\d+)|IBAN Registry r(\d+)/gi)].map(
        (match) => ({ path, release: Number(match[1] ?? match[2] ?? match[3]) }),
      )
    })
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter(({ release }) => release !== IBAN_RELEASE)).toEqual([])
})
