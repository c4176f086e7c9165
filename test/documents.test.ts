/** The documents as a whole: each names its reader, and they stay short. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './support/command.ts'

/** Words outside what stands between `<!-- begin: … -->` and `<!-- end: … -->`, or `<!-- … -->` and `<!-- /… -->`, which scripts and tests write. */
const MOST_WORDS = 33_000
const READERS = ['buyers', 'developers', 'operators', 'reviewers', 'contributors']

// Without git, which a copy of the project need not have.
const documents = globSync(['docs/**/*.md', '*.md'], { cwd: ROOT })
  .sort()
  .filter((path) => /^(?:docs\/.*|[A-Z]+)\.md$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
const published = documents.filter(({ path }) =>
  /^(?:docs\/(?:evidence\/)?[\w-]+|CHANGELOG|SECURITY)\.md$/.test(path),
)
const generated = /<!-- (?:begin: )?[\w ,./-]+ -->\n[\s\S]*?<!-- (?:end: |\/)[^>]*-->/g

test.each(published)('$path names its reader in the front matter', ({ text }) => {
  const [, reader] = /^---\nreader: (.+)\n---\n(?:<!-- .* -->\n)*# /.exec(text) ?? []
  expect(READERS).toContain(reader)
})

test('what is written by hand stays short', () => {
  const counted = documents.filter(({ path }) => !path.startsWith('docs/evidence/'))
  const words = counted.map(({ text }) => text.replace(generated, '').match(/[A-Za-z'’]+/g)?.length ?? 0)
  expect(documents.length).toBeGreaterThan(30)
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThan(MOST_WORDS)
})

test('what a document names in this repository is there', () => {
  const named = documents
    .filter(({ path }) => path !== 'CHANGELOG.md')
    .flatMap(({ text }) => [
      ...text.matchAll(/`((?:src|test|scripts|skills|deploy|model|bench)\/[\w./-]+)`/g),
    ])
    .map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
