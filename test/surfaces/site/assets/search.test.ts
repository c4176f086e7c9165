/** What five kinds of readers type into the search, and the page that answers them. */
import { describe, expect, it } from 'vitest'
import { readGuides } from '../../../../src/surfaces/documents/texts/guides.ts'
import { type SearchEntry, searchEntries } from '../../../../src/surfaces/site/docs/search-index.ts'
import { asset } from './asset.ts'
import { QUESTIONS } from './questions.ts'

const { findPages } = await asset<{
  findPages: (entries: readonly SearchEntry[], query: string) => readonly SearchEntry[]
}>('search.js')

const GUIDES = readGuides({ baseUrl: 'https://checks.example', sandbox: false })
const ENTRIES = searchEntries(GUIDES)
const ENOUGH = 59

/** Written before the pages were looked at; any of the pages named is right. */
const QUERIES: readonly (readonly [query: string, ...pages: string[]])[] = [
  // A buyer.
  ['price', 'wallet'],
  ['how much does a check cost', 'wallet'],
  ['refund', 'wallet', 'channels', 'terms'],
  ['excel', 'lists'],
  ['upload csv', 'lists', 'cli'],
  ['invoice', 'receipts'],
  ['get usdc', 'wallet'],
  ['wallet', 'wallet'],
  ['lost answer', 'wallet', 'faults', 'how-it-works', 'terms', 'channels'],
  ['charged twice', 'how-it-works', 'faults', 'security', 'proof', 'terms'],
  ['terms of service', 'terms'],
  ['contact', 'terms'],
  // A developer.
  ['rate limit', 'limits'],
  ['429', 'limits', 'errors'],
  ['python', 'clients', 'paying-by-hand'],
  ['golang', 'paying-by-hand', 'clients'],
  ['mcp', 'clients'],
  ['claude desktop', 'clients'],
  ['testnet', 'try-it', 'going-live', 'configuration'],
  ['payment_in_doubt', 'errors', 'how-it-works'],
  ['retry', 'limits', 'errors', 'how-it-works'],
  ['batch', 'lists', 'channels', 'a2a'],
  ['nonce', 'paying-by-hand', 'how-it-works'],
  ['idempotency', 'how-it-works', 'errors', 'clients'],
  ['github action', 'lists'],
  ['pre-commit', 'lists'],
  ['verify a receipt', 'receipts'],
  ['agent card', 'a2a', 'going-live'],
  ['breaking changes', 'limits', 'changelog'],
  ['max size of a request', 'limits', 'security'],
  // An operator.
  ['rollback', 'operations'],
  ['upgrade', 'operations'],
  ['backup', 'operations'],
  ['restore', 'operations'],
  ['docker', 'operations'],
  ['kubernetes', 'operations'],
  ['postgres', 'operations', 'configuration'],
  ['environment variables', 'configuration'],
  ['PAY_TO', 'configuration', 'operations'],
  ['gas account empty', 'operations', 'runbook'],
  ['rotate key', 'operations'],
  ['alerts', 'operations', 'runbook'],
  ['grafana', 'operations'],
  ['benchmark', 'how-it-works', 'profiles'],
  ['memory usage', 'how-it-works', 'profiles', 'operations'],
  ['publish to registry', 'going-live'],
  // A reviewer.
  ['retention', 'privacy'],
  ['gdpr', 'privacy'],
  ['data processing agreement', 'privacy'],
  ['threat model', 'security'],
  ['vulnerability', 'reporting', 'security'],
  ['licenses', 'security', 'terms'],
  ['which registry release', 'correctness'],
  ['false positives', 'correctness'],
  ['validator.js', 'correctness'],
  ['subprocessors', 'privacy'],
  // A contributor.
  ['layers', 'how-it-works'],
  ['add a check', 'how-it-works', 'correctness', 'changelog'],
  ['model checking', 'security', 'how-it-works'],
  ['profile cpu', 'profiles', 'how-it-works'],
]

/** Of a later review, and the page that answers each or says that it is not offered. */
const LATER: readonly (readonly [query: string, ...pages: string[]])[] = [
  ['white list', 'terms'],
  ['biała lista', 'terms'],
  ['vies', 'terms'],
  ['sla', 'terms'],
  ['does the account exist', 'terms'],
  ['card payment', 'wallet'],
  ['credit card', 'wallet'],
  ['invoices', 'receipts'],
  ['webhook', 'a2a'],
  ['push notification', 'a2a'],
  ['api key', 'wallet'],
  ['connection lost', 'how-it-works', 'terms', 'clients', 'channels', 'limits'],
  ['test network', 'try-it', 'going-live'],
  ['daily limit', 'wallet', 'clients', 'cli', 'settlement'],
  ['public key', 'receipts', 'a2a', 'operations'],
  ['personal data', 'privacy'],
  ['load balancer', 'operations', 'going-live'],
  ['paid twice', 'how-it-works', 'security', 'terms', 'wallet'],
  ['response time', 'how-it-works', 'limits'],
  ['open source', 'terms', 'security'],
  ['expired signature', 'errors'],
  ['value in the URL', 'errors', 'privacy'],
  ['streaming responses', 'a2a'],
  ['spending cap per day', 'clients', 'cli'],
  ['monthly export', 'operations'],
  ['proof of payment', 'receipts'],
  ['how much memory', 'operations'],
  ['leaked key', 'operations'],
  ['open source licence', 'terms'],
  ['denial of service', 'security', 'limits'],
]

const firstThree = (query: string) =>
  findPages(ENTRIES, query)
    .slice(0, 3)
    .map(({ path }) => /^\/docs\/([\w-]+)/.exec(path)?.[1] ?? '')

describe('the search', () => {
  it(`has the right page among the first three for ${ENOUGH} of 60 queries`, () => {
    const missed = QUERIES.filter(
      ([query, ...pages]) => !firstThree(query).some((page) => pages.includes(page)),
    )
    expect(QUERIES).toHaveLength(60)
    expect(
      QUERIES.length - missed.length,
      `missed: ${missed.map(([query]) => query).join(', ')}`,
    ).toBeGreaterThanOrEqual(ENOUGH)
  })

  it.each(LATER)('answers "%s"', (query, ...pages) => {
    expect(pages.filter((page) => firstThree(query).includes(page))).not.toEqual([])
  })

  it.each(
    Object.entries(QUESTIONS).flatMap(([reader, questions]) =>
      questions.map((each) => [reader, each.question, each] as const),
    ),
  )('answers %s: %s', (_reader, _question, { query, pages, says }) => {
    const found = findPages(ENTRIES, query).slice(0, 3)
    const answers = found.flatMap(({ path, section }) => {
      const [, name = ''] = /^\/docs\/([\w-]+)/.exec(path) ?? []
      const page = GUIDES.find((guide) => guide.name === name)?.markdown ?? ''
      return pages.includes(name) && says.test(`${section}\n${page}`) ? [path] : []
    })
    expect(answers, found.map(({ path }) => path).join(' ')).not.toEqual([])
  })

  it('says first that something is not offered, and only where it was asked for', () => {
    const first = (query: string) => findPages(ENTRIES, query)[0]?.section ?? ''
    for (const query of ['White list', 'is there an SLA?', 'pay by card', 'webhook'])
      expect(first(query)).toMatch(/^Not offered: /)
    for (const query of ['agent card', 'receipt', 'slash', 'rotate key'])
      expect(first(query)).not.toMatch(/^Not /)
  })

  it('puts a phrase before its single words, and titles first', () => {
    const entry = (path: string, section: string, text: string) => ({ path, page: path, section, text })
    const entries = [
      entry('/apart', 'A', 'gas gas here, and the account there'),
      entry('/together', 'B', 'the gas account'),
      entry('/title', 'The gas account', 'x'),
    ]
    expect(findPages(entries, 'gas account').map(({ path }) => path)).toEqual([
      '/title',
      '/together',
      '/apart',
    ])
  })

  it('finds a word by its beginning, and not inside another word', () => {
    const found = (query: string) =>
      findPages([{ path: '/docs/a', page: 'A', section: 'A', text: 'the gasket of a channel' }], query)
    expect(found('gask')).toHaveLength(1)
    expect(found('ask')).toHaveLength(0)
    expect(found('hannel')).toHaveLength(0)
  })
})
