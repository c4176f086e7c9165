/** What five kinds of readers type into the search, and the page that answers them. */
import { describe, expect, it } from 'vitest'
import { readGuides } from '../../../../src/surfaces/documents/texts/guides.ts'
import { type SearchEntry, searchEntries } from '../../../../src/surfaces/site/docs/search-index.ts'
import { asset } from './asset.ts'

const { findPages } = await asset<{
  findPages: (entries: readonly SearchEntry[], query: string) => readonly SearchEntry[]
}>('search.js')

const ENTRIES = searchEntries(readGuides({ baseUrl: 'https://checks.example', sandbox: false }))
const ENOUGH = 55

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

  it('finds a word by its beginning, and not inside another word', () => {
    const found = (query: string) =>
      findPages([{ path: '/docs/a', page: 'A', section: 'A', text: 'the gasket of a channel' }], query)
    expect(found('gask')).toHaveLength(1)
    expect(found('ask')).toHaveLength(0)
    expect(found('hannel')).toHaveLength(0)
  })
})
