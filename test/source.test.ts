import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { whatExists, whereToReport, whereToSayWrong } from '../scripts/source-doc.ts'
import { SOURCE, sourceOf } from '../src/files/source.ts'
import { serverCards } from '../src/surfaces/documents/catalogs/server-card.ts'
import type { DocumentContext } from '../src/surfaces/documents/document-context.ts'
import { securityTxt } from '../src/surfaces/documents/web/security-txt.ts'
import { siteFooter } from '../src/surfaces/site/site-footer.ts'
import { ROOT } from './support/command.ts'
import { pageContext, startSite } from './surfaces/site/site-service.ts'

const repository = 'https://github.com/owner/format-checker'
const PUBLIC = sourceOf({ repository: { url: `git+${repository}.git` } })

/** Words that promise a place; `clone` as a command of code and "issue" as a verb promise none. */
const PLACE =
  /\brepositor(?:y|ies)\b|\bclones?\b|\badvisor(?:y|ies)\b|\bopen an issue\b|\breport (?:a|the) bug\b|\bpull request/i
const OTHER =
  /advisory lock|\.clone\(\)|git clone|never from a repository or an address|private advisory of the repository/gi
/** Lines that name such a place, and lead nowhere. */
const unlinked = (text: string) =>
  text
    .split('\n')
    .filter((line) => PLACE.test(line.replaceAll(OTHER, '')) && !/\]\(http|href="http|<http/.test(line))

describe('where the source is', () => {
  test.each([
    [{}, null],
    [{ homepage: 'https://format.example' }, null],
    [
      { repository },
      {
        repository,
        homepage: repository,
        bugs: `${repository}/issues`,
        advisories: `${repository}/security/advisories/new`,
      },
    ],
    [
      {
        repository: 'https://git.example/fc.git',
        homepage: 'https://format.example',
        bugs: { url: 'https://bugs.example' },
      },
      {
        repository: 'https://git.example/fc',
        homepage: 'https://format.example',
        bugs: 'https://bugs.example',
        advisories: null,
      },
    ],
  ])('is read from package.json alone: %o', (manifest, source) => {
    expect(sourceOf(manifest)).toEqual(source)
  })

  test.each([
    ['without a repository', null],
    ['with one', PUBLIC],
  ])('%s every sentence on it has its link, or names no place', (_what, source) => {
    for (const say of [whatExists, whereToReport, whereToSayWrong]) expect(unlinked(say(source))).toEqual([])
    expect(whatExists(source)).toContain('no hosted instance, no package on npm and no outside audit')
    expect(whatExists(source).includes('git clone')).toBe(source !== null)
    const context = { ...pageContext(), source, startedAt: 0 } as unknown as DocumentContext &
      ReturnType<typeof pageContext>
    expect(siteFooter(context).markup.includes(`href="${repository}"`)).toBe(source !== null)
    expect(securityTxt(context).body.toString().includes('/security/advisories/new')).toBe(source !== null)
    const [card] = serverCards({ ...context, mcpVersions: ['2025-06-18'], tools: [] })
    expect(JSON.parse(String(card?.body)).repository).toEqual(
      source === null ? undefined : { url: repository, source: 'github' },
    )
  })
})

describe('no page names a repository without a link', () => {
  test.each(
    globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md', 'skills/*/SKILL.md'], { cwd: ROOT }),
  )('%s', (path) => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    expect(unlinked(path === 'CHANGELOG.md' ? (text.split('\n## ')[1] ?? '') : text)).toEqual([])
  })

  const site = startSite(true)
  afterAll(async () => (await site).stop())
  test.each(['/', '/checks', '/lists', '/pricing', '/errors', '/docs'])('%s', async (path) => {
    const { body } = await (await site).ask(path, { accept: 'text/html' })
    const text = body.toString().replaceAll(/<(?:script|style)[\s\S]*?<\/(?:script|style)>/g, '')
    expect(unlinked(text)).toEqual([])
  })

  test('and the clone line of README is there as soon as there is one', () => {
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8').includes('git clone')).toBe(SOURCE !== null)
  })
})
