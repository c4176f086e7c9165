/** `/llms.txt` by the grammar of the format (llmstxt.org), written down here from its specification. */

import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'
import { textOf } from './published.ts'

let service: TestService
let text: string
beforeAll(async () => {
  service = await startTestService()
  text = await textOf(service, '/llms.txt')
})
afterAll(() => service.stop())

interface Link {
  readonly title: string
  readonly url: string
  readonly notes: string | undefined
}

interface LlmsText {
  readonly title: string
  readonly summary: string
  readonly details: string
  readonly sections: ReadonlyMap<string, readonly Link[]>
}

const HEAD = /^# (?<title>[^\n]+)\n+> (?<summary>[^\n]+)\n+(?<details>[\s\S]*)$/
const LINK = /^- \[(?<title>[^\]]+)\]\((?<url>[^)]+)\)(?:: (?<notes>.+))?$/

/** Title, quotation, text without headings, then H2 sections that are lists of links; throws for anything else. */
function parse(source: string): LlmsText {
  const [before = '', ...parts] = source.split(/^## /m)
  const head = HEAD.exec(before)?.groups
  if (head === undefined) throw new Error('no title with a summary')
  if (/^#{1,6} /m.test(head.details ?? '')) throw new Error('a heading in the details')
  const sections = new Map(
    parts.map((part) => {
      const [name = '', ...lines] = part.split('\n')
      return [name, lines.filter((line) => line !== '').map(parseLink)]
    }),
  )
  return { title: head.title ?? '', summary: head.summary ?? '', details: head.details ?? '', sections }
}

function parseLink(line: string): Link {
  const link = LINK.exec(line)?.groups
  if (link === undefined) throw new Error('a line of a section is not a link')
  return { title: link.title ?? '', url: link.url ?? '', notes: link.notes }
}

describe('/llms.txt', () => {
  it('parses by the grammar of the format', () => {
    const { title, summary, details, sections } = parse(text)
    expect(title).toBe('Format Checker (SANDBOX)')
    expect(summary).toContain('$0.001 per call')
    expect(details).toContain('PAYMENT-SIGNATURE')
    expect([...sections.keys()]).toEqual(['Checks', 'Descriptions', 'Optional'])
    expect(sections.get('Checks')).toHaveLength(CHECK_TYPES.length)
    for (const links of sections.values()) for (const { notes } of links) expect(notes).toBeTruthy()
  })

  it('says where a payment goes on every surface, and how one is signed without a library', () => {
    const { details, sections } = parse(text)
    for (const said of ['PAYMENT-SIGNATURE', 'A2A-Extensions', '_meta["x402/payment"]'])
      expect(details).toContain(said)
    const linked = sections.get('Descriptions')?.map(({ url }) => new URL(url).pathname)
    expect(linked).toEqual(
      expect.arrayContaining(['/docs/paying-by-hand.md', '/docs/clients.md', '/docs/a2a.md']),
    )
  })

  it('links only to what is served', async () => {
    for (const links of parse(text).sections.values()) {
      for (const { url } of links) expect([url, (await fetch(url)).status]).toEqual([url, 200])
    }
  })
})
