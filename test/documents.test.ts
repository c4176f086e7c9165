/** The documents as a whole: each names its reader, and they stay short. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './support/command.ts'

/** Words of all Markdown, written by hand or not; a table that no reader reads row by row is a CSV file beside its page. */
const MOST_WORDS = 45_000
const READERS = ['buyers', 'developers', 'operators', 'reviewers', 'contributors']

const read = (path: string) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })

// Without git, which a copy of the project need not have.
const documents = globSync(['docs/**/*.md', '*.md'], { cwd: ROOT })
  .sort()
  .filter((path) => /^(?:docs\/.*|[A-Z]+)\.md$/.test(path))
  .map(read)
const published = documents.filter(({ path }) =>
  /^(?:docs\/(?:evidence\/)?[\w-]+|CHANGELOG|SECURITY)\.md$/.test(path),
)

test.each(published)('$path names its reader in the front matter', ({ text }) => {
  const [, reader] = /^---\nreader: (.+)\n---\n(?:<!-- .* -->\n)*# /.exec(text) ?? []
  expect(READERS).toContain(reader)
})

test('the documents stay short', () => {
  const counted = documents.filter(({ path }) => path !== 'CHANGELOG.md')
  const readmes = globSync('{agent-card,packages/*}/*.md', { cwd: ROOT }).map(read)
  const words = [...counted, ...readmes].map(({ text }) => text.match(/[A-Za-z'’]+/g)?.length ?? 0)
  expect(documents.length).toBeGreaterThan(30)
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MOST_WORDS)
})

test('what a document names in this repository is there', () => {
  const named = documents
    .filter(({ path }) => path !== 'CHANGELOG.md')
    .flatMap(({ text }) => [
      ...text.matchAll(/`((?:src|test|scripts|skills|deploy|model|bench)\/[\w./-]+)`/g),
    ])
    .map(([, path = '']) => path)
  const inTables = globSync('docs/evidence/*.csv', { cwd: ROOT })
    .map(read)
    .flatMap(({ text }) => text.match(/\b(?:src|test|packages|scripts)\/[\w./-]+\.ts\b/g) ?? [])
  expect(inTables.length).toBeGreaterThan(30)
  named.push(...inTables)
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
