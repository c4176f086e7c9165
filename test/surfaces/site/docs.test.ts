/** The documents as pages: the same files, the site's look, and Markdown for those who ask for it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guideDocuments, readGuides } from '../../../src/surfaces/documents/texts/guides.ts'
import { guidePath, isEvidence } from '../../../src/surfaces/site/docs/guide.ts'
import { groupGuides } from '../../../src/surfaces/site/docs/guide-groups.ts'
import { renderGuide } from '../../../src/surfaces/site/docs/render-guide.ts'
import { named, tagsOf, valuesOf } from './markup.ts'
import { type Site, startSite } from './site-service.ts'

const GUIDES = readGuides({ baseUrl: 'https://checks.example', sandbox: false })
const publishedOnly = (href: string) => (href.startsWith('#') ? href : null)
const render = (markdown: string) => renderGuide(markdown, publishedOnly)

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

describe('a guide', () => {
  it('is HTML for browsers and Markdown for clients that prefer it', async () => {
    const page = await site.ask('/docs/a2a', { Accept: 'text/html,*/*;q=0.8' })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers.vary).toContain('Accept')
    const text = await site.ask('/docs/a2a', { Accept: 'text/markdown' })
    expect(text.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(text.body.toString()).toMatch(/^# .+\n/)
  })

  it('names the live address and no address of this machine, and asks no sandbox for a key', () => {
    for (const { name, markdown } of GUIDES.filter(({ name }) => ['clients', 'a2a'].includes(name))) {
      expect(markdown, name).toContain('https://checks.example')
      expect(markdown, name).not.toMatch(/127\.0\.0\.1|sandbox\.json|BASE_URL/)
    }
  })

  it('says of the operator what is set, and nothing else', () => {
    const termsOf = (operator: object) =>
      readGuides({
        ...{ baseUrl: 'https://checks.example', sandbox: false },
        operator,
      }).find(({ name }) => name === 'terms')?.markdown ?? ''
    expect(termsOf({ operatorName: null })).toMatch(/^# Terms and support\n\n.+\n\n## What is sold\n/)
    const named = termsOf({ operatorName: 'Example Ltd', contactEmail: 'help@example.com' })
    expect(named).toContain('This service is run by Example Ltd.')
    expect(named).toContain('mailto:help@example.com')
  })

  it('has its drawings in the page, without a style of their own', async () => {
    const page = await site.text('/docs/how-it-works')
    expect(named(tagsOf(page), 'svg').map(({ attributes }) => attributes.get('class'))).toContain('chart')
    expect(named(tagsOf(page), 'style')).toEqual([])
  })

  it('shows no comment of the tests in any form', async () => {
    for (const { name, markdown } of GUIDES) {
      expect(markdown, name).not.toContain('<!--')
      expect(await site.text(`/docs/${name}`), name).not.toMatch(/<!--|&lt;!--/)
    }
  })

  it('keeps the blank lines of its code', () => {
    const clients = GUIDES.find(({ name }) => name === 'clients')?.markdown
    expect(clients).toContain('\n\n\nasync def main')
  })

  it('links only to what is served', async () => {
    for (const path of site.paths.filter((each) => each.startsWith('/docs'))) {
      const tags = tagsOf(await site.text(path))
      for (const href of valuesOf(named(tags, 'a'), 'href')) {
        const [target = '', fragment] = href.split('#')
        if (!target.startsWith('/docs') || target.endsWith('.md')) continue
        if (target.endsWith('.csv')) {
          expect(guideDocuments([]).map(({ route }) => route)).toContain(target)
          continue
        }
        const { status, body } = await site.ask(target)
        expect(status, `${href} on ${path}`).toBe(200)
        if (fragment)
          expect(valuesOf(tagsOf(body.toString()), 'id'), `${href} on ${path}`).toContain(fragment)
      }
    }
  })
})

describe('the renderer', () => {
  it('shows raw HTML as text', () => {
    const { body } = render('# T\n\n<script>x</script> and <img src=x onerror=y>\n\n<div>block</div>\n')
    expect(body.markup).not.toMatch(/<script|<img|<div>/)
    expect(body.markup).toContain('&lt;script&gt;')
  })

  it('makes no link of a script address or of a file that is not published', () => {
    const { body } = render('# T\n\n[a](javascript:alert(1)) [b](../src/app.ts) [c](#t)\n')
    expect(body.markup).not.toMatch(/href="(?!#t")/)
  })

  it('makes no header of an empty cell', () => {
    const tags = tagsOf(render('# T\n\n| | a |\n|---|---|\n| b | c |\n').body.markup)
    expect(named(tags, 'th')).toHaveLength(1)
    expect(named(tags, 'td')).toHaveLength(3)
  })

  it('gives cells the heading of their column as plain text, and shares and marks a level', () => {
    const cells = named(
      tagsOf(
        render('# T\n\n| a | `b` | [c](#t) |\n|---|---|---|\n| x | 77 % | **✗** |\n| y | ✓ | 9 |\n').body
          .markup,
      ),
      'td',
    ).map(({ attributes }) => [attributes.get('data-head'), attributes.get('class')])
    expect(cells).toEqual([
      [undefined, undefined],
      ['b', 'heat heat-2'],
      ['c', 'heat heat-3'],
      [undefined, undefined],
      ['b', 'heat heat-0'],
      ['c', undefined],
    ])
  })

  it('gives headings the fragments GitHub gives them', () => {
    const { sections } = render('# T\n\n## A2A, in `band`!\n\n### Two  words\n\n## A2A, in band\n')
    expect(sections.map(({ id }) => id)).toEqual(['a2a-in-band', 'two--words', 'a2a-in-band-1'])
  })

  it('joins adjacent titled blocks to tabs and leaves others alone', () => {
    const { body } = render('# T\n\n```sh curl\na\n```\n\n```py Python\nb\n```\n\n```sh\nc\n```\n')
    const tags = tagsOf(body.markup)
    expect(body.markup.match(/(?<=<button [^>]*>)[^<]+/g)).toEqual(['curl', 'Python'])
    expect(valuesOf(tags, 'aria-selected')).toEqual(['true', 'false'])
    expect(named(tags, 'pre')).toHaveLength(3)
  })

  it('marks known languages and escapes unknown ones', () => {
    const { body } = render('# T\n\n```js\nconst a = "<b>"\n```\n\n```text\n<b>\n```\n')
    expect(body.markup).toContain('<span class="hljs-keyword">const</span>')
    expect(body.markup).not.toContain('<b>')
  })
})

describe('the list of documents', () => {
  it('offers every guide once, and no evidence', async () => {
    const sorted = groupGuides(GUIDES).flatMap(({ guides }) => guides.map(guidePath))
    expect(sorted.toSorted()).toEqual(
      GUIDES.flatMap((guide) => (isEvidence(guide) ? [] : guidePath(guide))).toSorted(),
    )
    const page = await site.text('/docs')
    for (const path of sorted) expect(page).toContain(`href="${path}"`)
  })
})

describe('the search index', () => {
  it('has an entry for every section that leads there', async () => {
    const entries: { path: string; section: string; text: string }[] = JSON.parse(
      await site.text('/docs/search.json'),
    )
    expect(entries.length).toBeGreaterThan(GUIDES.length * 2)
    for (const { path, section, text } of entries) {
      const [page = '', id = 'main'] = path.split('#')
      expect(valuesOf(tagsOf(await site.text(page)), 'id'), path).toContain(id)
      expect(`${section}${text}`).not.toMatch(/```|<!--|\*\*/)
    }
  })
})

describe('an address that does not exist', () => {
  it('is a page for a browser, 404 and not cached', async () => {
    const answer = await site.ask('/nowhere', { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect(answer.status).toBe(404)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    expect(named(tagsOf(answer.body.toString()), 'h1')).toHaveLength(1)
  })

  it.each([
    ['*/*', 'GET'],
    ['', 'GET'],
    ['application/json', 'GET'],
    ['text/html', 'POST'],
    ['text/htmlx', 'GET'],
  ])('is a problem for Accept: %s with %s', async (accept, method) => {
    const { status, headers, body } = await site.ask('/nowhere', { Accept: accept }, method)
    expect(status).toBe(404)
    expect(headers['content-type']).toContain('application/problem+json')
    expect(JSON.parse(body.toString()).code).toBe('not_found')
  })
})
