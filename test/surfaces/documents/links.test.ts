import { afterAll, beforeAll, expect, it } from 'vitest'
import { ERRORS } from '../../../src/errors.ts'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'
import { DOCUMENTS, PAGES, textOf } from './published.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

/** Addresses that do not answer GET, because they are called. */
const CALLED = /^https?:\/\/[^/]+\/(?:a2a|mcp|api\/validate\/[a-z-]+(?:\/batch)?)$/

it('every address in every document leads somewhere', async () => {
  const found = new Map<string, string>()
  const toRead = [...(await textOf(service, '/sitemap.xml')).matchAll(/<loc>(.*?)<\/loc>/g)]
  const pages = toRead.map(([, url = '']) => new URL(url).pathname)
  for (const path of new Set([...DOCUMENTS, ...PAGES, ...pages])) {
    for (const link of linksIn(await textOf(service, path), `${service.url}${path}`)) {
      if (!found.has(link)) found.set(link, path)
    }
  }
  expect(found.size).toBeGreaterThan(30)
  for (const [link, from] of found) {
    const { status } = await fetch(link)
    expect(status, `${link} in ${from}`).toBe(CALLED.test(link) ? 405 : 200)
  }
})

it('every type of problem leads to its own section', async () => {
  const page = await textOf(service, '/errors')
  for (const name of Object.keys(ERRORS)) expect(page).toContain(`id="${name}"`)
  const { code, type } = (await (await fetch(`${service.url}/nowhere`)).json()) as Record<string, string>
  expect(type).toBe(`${service.url}/errors#${code}`)
})

/** Our own absolute addresses, and what pages link to by path; fragments aside. */
function linksIn(text: string, at: string): readonly string[] {
  const absolute = [...text.matchAll(/https?:\/\/127\.0\.0\.1:\d+[^\s"'`<>)\]},|\\&]*/g)].map(([url]) => url)
  const byPath = [...text.matchAll(/(?:href=|\]\()"?([^\s"<>)]+)/g)].map(([, path = '']) => path)
  const urls = [...absolute, ...byPath].map((link) => new URL(link.replace(/[.;:]+$/, ''), at))
  return urls.filter((url) => url.origin === service.url).map((url) => `${url.origin}${url.pathname}`)
}
