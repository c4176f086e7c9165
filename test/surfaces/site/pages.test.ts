import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { codesOf, HINTS, WARNINGS } from 'format-checker-checks/hints'
import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../src/errors.ts'
import { BASE_SEPOLIA } from '../../../src/payments/networks/base-sepolia.ts'
import { layoutFor } from '../../../src/surfaces/site/layout.ts'
import { panel } from '../../../src/surfaces/site/panel.ts'
import { html } from '../../../src/values/html.ts'
import { ROOT } from '../../support/command.ts'
import { named, type Tag, tagsOf, valuesOf } from './markup.ts'
import { pageContext, type Site, startSite } from './site-service.ts'

const GUIDES = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
const PATHS = [
  '/',
  '/checks',
  ...CHECK_TYPES.map((type) => `/checks/${type}`),
  '/lists',
  '/pricing',
  '/status',
  '/errors',
  '/docs',
  '/docs/changelog',
  '/docs/contributing',
  '/docs/reporting',
  ...GUIDES.filter((name) => name !== 'errors.md').map((name) => `/docs/${name.replace(/\.md$/, '')}`),
]

/** Tags that were escaped, and Markdown that was not read. */
const RAW_MARKUP =
  /&lt;\/?(?:a|b|br|code|details|div|em|img|li|p|pre|span|strong|summary|table|td|tr|ul)\b[^&]{0,40}&gt;|\*\*|\]\(|^\|.*\|$|!\[/gm

let site: Site
let sandbox: Site
beforeAll(async () => {
  ;[site, sandbox] = await Promise.all([startSite(), startSite(true)])
})
afterAll(async () => {
  await site.stop()
  await sandbox.stop()
})

it('there is a page for each check and each guide, and the others', () => {
  expect(site.paths.toSorted()).toEqual(PATHS.toSorted())
})

it.each([
  ['/terms', '/docs/terms'],
  ['/privacy', '/docs/privacy'],
  ['/docs/errors', '/errors'],
])('%s leads to %s', async (path, page) => {
  const { status, headers } = await site.ask(path)
  expect([status, headers.location]).toEqual([308, page])
})

describe.each(PATHS)('%s', (path) => {
  let page: string
  let tags: readonly Tag[]
  beforeAll(async () => {
    page = await site.text(path)
    tags = tagsOf(page)
  })

  it('is a whole document with one heading, landmarks, a language and a title', () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/)
    for (const name of ['title', 'h1', 'main', 'header', 'footer']) expect(named(tags, name)).toHaveLength(1)
    for (const { attributes } of named(tags, 'img')) expect(attributes.has('alt')).toBe(true)
  })

  it('shows no raw markup', () => {
    const text = page.replaceAll(/<pre[\s\S]*?<\/pre>|<code[\s\S]*?<\/code>/g, '').replaceAll(/<[^>]+>/g, '')
    expect(text.match(RAW_MARKUP) ?? []).toEqual([])
  })

  it('has no id twice, and every reference to one finds it', () => {
    const ids = valuesOf(tags, 'id')
    expect(new Set(ids).size).toBe(ids.length)
    for (const attribute of ['for', 'aria-labelledby', 'aria-describedby']) {
      for (const id of valuesOf(tags, attribute)) expect(ids).toContain(id)
    }
    const anchors = valuesOf(tags, 'href').filter((href) => href.startsWith('#'))
    expect(ids).toEqual(expect.arrayContaining(anchors.map((href) => href.slice(1))))
  })

  it('holds no script or style of its own, and loads nothing from elsewhere', () => {
    expect(named(tags, 'style')).toEqual([])
    for (const tag of tags) {
      expect([...tag.attributes.keys()].filter((name) => name === 'style' || name.startsWith('on'))).toEqual(
        [],
      )
    }
    for (const { attributes } of named(tags, 'script')) expect(attributes.get('src')).toMatch(/^\/assets\//)
    expect(page).not.toMatch(/<script[^>]*>[^<]/)
    for (const source of valuesOf(tags, 'src')) expect(source).toMatch(/^\/[^/]/)
    for (const { attributes } of named(tags, 'link')) {
      expect(attributes.get('href')).toMatch(/^(?:\/[^/]|https:\/\/checks\.example\/)/)
    }
  })

  it('escapes the words it is given', () => {
    expect(page).not.toContain('stored & never <sent>')
    expect(page).toContain('stored &amp; never &lt;sent&gt;')
  })

  it('is loud about the sandbox there, and silent elsewhere', async () => {
    expect(page).not.toMatch(/sandbox-wallet\.js|SANDBOX · |class="sandbox"/)
    const loud = await sandbox.text(path)
    expect(loud).toMatch(/<title>SANDBOX · /)
    expect(loud).toContain('<strong>SANDBOX</strong> No real money.')
  })
})

it('a page of a service with test money says so, and its scripts sign for that network alone', () => {
  const context = { ...pageContext(), chain: BASE_SEPOLIA, mark: 'TEST MONEY' }
  const page = panel(context, '/examples.json').markup
  expect(page).toContain('84532')
  expect(page).not.toContain('eip155:8453&')
  expect(
    layoutFor(context, { pathOf: () => '' } as never)({
      title: 't',
      description: '',
      path: '/',
      main: html``,
      assets: [],
    }),
  ).toMatch(
    /<title>TEST MONEY · t<.*<strong>TEST MONEY<\/strong> No real money. Payments are in the test USDC of Base Sepolia/s,
  )
})

it('status, terms and name are those of an operator who is set', () => {
  const context = pageContext()
  const pageOf = (operatorName: string | null) =>
    layoutFor({ ...context, operator: { ...context.operator, operatorName } }, { pathOf: () => '' } as never)(
      {
        title: 't',
        description: '',
        path: '/',
        main: html``,
        assets: [],
      },
    )
  const offered = (page: string) => valuesOf(named(tagsOf(page), 'a'), 'href')
  expect(pageOf(null)).not.toContain('run by')
  expect(offered(pageOf(null))).not.toContain('/docs/terms')
  expect(
    offered(pageOf(null)).filter((path) => path === '/status'),
    'whether it is up',
  ).toHaveLength(1)
  expect(pageOf('Example Ltd')).toContain('run by Example Ltd')
  expect(offered(pageOf('Example Ltd'))).toContain('/docs/terms')
  expect(offered(pageOf('Example Ltd')).filter((path) => path === '/status')).toHaveLength(3)
})

describe('the front page', () => {
  it('can be used without scripts up to the panel, which sends nothing by itself', async () => {
    const tags = tagsOf(await site.text('/'))
    const [form] = named(tags, 'form')
    expect(form?.attributes.has('inert')).toBe(true)
    expect(form?.attributes.has('action')).toBe(false)
    const value = tags.find(({ attributes }) => attributes.get('id') === 'value')
    expect(value?.attributes.has('name')).toBe(false)
  })

  it('names every check, its price and the promise', async () => {
    const page = await site.text('/')
    for (const { id } of site.context.skills.all) expect(page).toContain(`href="/checks/${id}"`)
    expect(page).toContain('$0.001')
    expect(page).toContain('No register, bank, mail server or DNS is asked.')
  })
})

describe('the page of a check', () => {
  it('holds every code, source and example of its skill', async () => {
    for (const skill of site.context.skills.all) {
      const page = await site.text(`/checks/${skill.id}`)
      const codes = Object.keys(skill.codes)
      for (const code of codes) expect(page, skill.id).toContain(`id="code-${code}"`)
      expect(valuesOf(tagsOf(page), 'id').filter((id) => id.startsWith('code-'))).toHaveLength(codes.length)
      for (const { url, date } of skill.sources) {
        expect(page).toContain(url)
        expect(page).toContain(date)
      }
      const opened = named(tagsOf(page), 'details').map(({ attributes }) => attributes.get('class'))
      expect(opened.filter((each) => each === 'example')).toHaveLength(skill.examples.length)
      expect(page).not.toMatch(/`|BASE_URL/)
    }
  })

  it('explains what advice means, with examples and how often it is right', async () => {
    for (const { id, mistakes } of site.context.skills.all) {
      const page = await site.text(`/checks/${id}`)
      const advice = page.slice(page.indexOf('id="advice"'), page.indexOf('id="examples"'))
      for (const member of ['hint', 'position', 'suspects', 'warnings'])
        expect(advice, id).toContain(`<code>details.${member}</code>`)
      expect(advice.match(/<li><code>[^<]+<\/code>: <code>&quot;\w+&quot;: /g)?.length, id).toBe(
        mistakes.length,
      )
      for (const code of [...codesOf(HINTS, id), ...codesOf(WARNINGS, id)])
        expect(advice, id).toContain(`<td><code>${code}</code></td>`)
      expect(advice, id).toMatch(/<td[^>]*>(?:\d[\d.]* %|rare)<\/td>/)
      expect(advice).not.toContain('<!--')
    }
  })
})

it('the page of errors has a place for every code, and no other page leads past it', async () => {
  const page = await site.text('/errors')
  const ids = valuesOf(tagsOf(page), 'id')
  for (const code of Object.keys(ERRORS)) expect(ids).toContain(code)
  expect(page).toContain('href="/docs/errors.md"')
  for (const path of PATHS) expect(await site.text(path), path).not.toMatch(/href="\/docs\/errors["#]/)
})
