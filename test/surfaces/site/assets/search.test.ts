/** What readers type into the search, and the places that answer them, in the index that browsers get. */
import { gzipSync } from 'node:zlib'
import MiniSearch from 'minisearch'
import { afterAll, describe, expect, it } from 'vitest'
import ASKED from '../../../../src/surfaces/site/docs/asked.json' with { type: 'json' }
import type { SearchEntry } from '../../../../src/surfaces/site/docs/search-index.ts'
import { startSite } from '../site-service.ts'
import { asset } from './asset.ts'
import { QUERIES, QUESTIONS } from './questions.ts'
import READERS from './search-questions.json' with { type: 'json' }

const { searcher } = await asset<{
  searcher: (
    library: typeof MiniSearch,
    entries: readonly SearchEntry[],
  ) => (query: string) => readonly SearchEntry[]
}>('search-ranking.js')

const site = await startSite()
afterAll(() => site.stop())
const index = await site.text('/docs/search.json')
const entries = JSON.parse(index) as readonly SearchEntry[]
const find = searcher(MiniSearch, entries)

const firstThree = (query: string) => find(query).slice(0, 3)
const pageOf = (path: string) => /^\/docs\/(?:evidence\/)?([\w-]+)/.exec(path)?.[1] ?? path.slice(1)

describe('the search', () => {
  it.each([
    ['seen', 28],
    ['unseen', 23],
  ])('answers the %s questions of six kinds of readers: %i of 30', (half, least) => {
    const questions = READERS.filter((each) => each.half === half)
    const missed = questions.filter(
      ({ asked, answers }) => !firstThree(asked).some(({ path }) => answers.includes(path)),
    )
    expect(questions).toHaveLength(30)
    const found = 30 - missed.length
    expect(
      found,
      half === 'unseen' ? '' : missed.map(({ asked }) => asked).join('\n'),
    ).toBeGreaterThanOrEqual(least)
  })

  it('leads each of 90 short queries to a page that answers it, but for three', () => {
    const missed = QUERIES.filter(
      ([query, ...pages]) => !firstThree(query).some(({ path }) => pages.includes(pageOf(path))),
    )
    expect(missed.length, missed.map(([query]) => query).join(', ')).toBeLessThanOrEqual(3)
  })

  it.each(
    Object.entries(QUESTIONS).flatMap(([reader, questions]) =>
      questions.map((each) => [reader, each.question, each] as const),
    ),
  )('answers %s: %s', (_reader, _question, { query, pages, says }) => {
    const found = firstThree(query)
    const answers = found.filter(({ path }) => {
      const name = pageOf(path)
      const text = entries.filter((entry) => pageOf(entry.path) === name).map(({ text }) => text)
      return pages.includes(name) && says.test(text.join('\n'))
    })
    expect(answers, found.map(({ path }) => path).join(' ')).not.toEqual([])
  })

  it('has every page, and at most 250 kB of it to send', () => {
    const pages = new Set(entries.map(({ path }) => path.replace(/#.*/, '')))
    for (const page of ['/checks/iban', '/errors', '/pricing', '/docs/contributing', '/docs/evidence/proof'])
      expect(pages).toContain(page)
    expect(gzipSync(index).length).toBeLessThan(250_000)
  })

  it('has the words of readers at places that exist', () => {
    const places = new Set(entries.map(({ path }) => path))
    expect(Object.keys(ASKED).filter((path) => !places.has(path))).toEqual([])
  })

  it('finds a setting by its name, a word with a slip, and nothing inside another word', () => {
    expect(find('PAY_TO')[0]).toMatchObject({ section: 'PAY_TO' })
    expect(
      find('recipt')
        .slice(0, 3)
        .map(({ path }) => pageOf(path)),
    ).toContain('receipts')
    const gasket = [{ path: '/docs/a', page: 'A', section: 'A', text: 'the gasket of a channel' }]
    const found = (query: string) => searcher(MiniSearch, gasket)(query)
    expect([found('gask').length, found('annel').length]).toEqual([1, 0])
  })
})
